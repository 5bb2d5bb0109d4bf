/** Measures lines and branches of the functions in a module, for `scripts/functions.test.ts`. */
import { parseSync } from 'vite'

/**
 * @typedef {object} FunctionSize
 * @property {string} file
 * @property {string} name
 * @property {number} line where it begins
 * @property {number} lines
 * @property {number} branches paths through its own code; 1 without any condition
 */
/** @typedef {import('vite').ESTree.Node} SyntaxNode */

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

const BRANCHES = new Set([
  'IfStatement',
  'ConditionalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
  'LogicalExpression',
])

const LOGICAL_ASSIGNMENTS = new Set(['&&=', '||=', '??='])

/** @param {SyntaxNode} node */
function isBranch(node) {
  if (node.type === 'SwitchCase') return node.test !== null
  if (node.type === 'AssignmentExpression') return LOGICAL_ASSIGNMENTS.has(node.operator)
  return BRANCHES.has(node.type)
}

/** @param {unknown} value @returns {value is SyntaxNode} */
const isNode = value => typeof value === 'object' && value !== null && 'type' in value

/** @param {SyntaxNode} node */
const childrenOf = node => Object.values(node).flat().filter(isNode)

/**
 * `describe(…)` and `describe.each(…)(…)` hold tests, as a module holds functions.
 * @param {SyntaxNode} node @returns {boolean}
 */
function isSuite(node) {
  if (node.type === 'CallExpression') return isSuite(node.callee)
  if (node.type === 'MemberExpression') return isSuite(node.object)
  return node.type === 'Identifier' && node.name === 'describe'
}

/** Its own name, or the one that the code around it gives it. @param {SyntaxNode} node @param {SyntaxNode} parent */
function nameOf(node, parent) {
  if ('id' in node && isNode(node.id) && node.id.type === 'Identifier') return node.id.name
  if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name
  if ((parent.type === 'Property' || parent.type === 'MethodDefinition') && 'name' in parent.key)
    return String(parent.key.name)
  return 'function'
}

/** @param {string} file @param {string} code @returns {readonly FunctionSize[]} */
export function sizesOf(file, code) {
  const { program, errors } = parseSync(file, code)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  const lineOf = lineFinder(code)
  /** @type {FunctionSize[]} */
  const sizes = []
  /**
   * Returns the branches that count for the function around the node.
   * @param {SyntaxNode} node @param {SyntaxNode} parent @returns {number}
   */
  const visit = (node, parent) => {
    const place = sizes.length
    const branches = childrenOf(node).reduce((sum, child) => sum + visit(child, node), isBranch(node) ? 1 : 0)
    if (!FUNCTIONS.has(node.type)) return branches
    if (parent.type === 'CallExpression' && isSuite(parent.callee)) return 0
    const line = lineOf(node.start)
    const lines = lineOf(node.end) - line + 1
    // Inserted before the functions inside it, which were visited first.
    sizes.splice(place, 0, { file, name: nameOf(node, parent), line, lines, branches: branches + 1 })
    return 0
  }
  visit(program, program)
  return sizes
}

/** @param {string} code @returns {(offset: number) => number} */
function lineFinder(code) {
  const starts = [0]
  for (const { index } of code.matchAll(/\n/g)) starts.push(index + 1)
  return offset => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
