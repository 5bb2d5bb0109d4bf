/**
 * Conditions on the columns of digests, in the words of SQL: `compare --where`, and the filter of a fleet on the page.
 *
 *     either := both ('or' both)*        both := test ('and' test)*        test := 'not' test | '(' either ')' | comparison
 *     comparison := COLUMN (= | != | <> | < | <= | > | >=) VALUE | COLUMN ['not'] 'in' '(' VALUE, ... ')' | COLUMN ['not'] 'like' TEXT | COLUMN 'is' ['not'] 'null' | FLAG
 *
 * A comparison with an absent value is neither true nor false, as in SQL.
 */
type Value = string | number | boolean
/** `undefined`: unknown, because a value is absent. */
export type RowTest = (row: Readonly<Record<string, unknown>>) => boolean | undefined

/** Error in a condition, with its position in the text. */
export class ConditionError extends Error {
  readonly position: number
  constructor(message: string, position: number) {
    super(message)
    this.position = position
  }
}

const WORD =
  /\s*(?:(<=|>=|<>|!=|[=<>(),])|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])|([A-Za-z_]\w*))/y
/** Columns that are true or false: their name alone is a condition. */
const FLAGS = new Set(['compared'])
/** Maximum nesting: deeper conditions would overflow the stack. */
const MAX_DEPTH = 100

type Token =
  | { readonly is: 'sign' | 'name' | 'word'; readonly text: string; readonly position: number }
  | { readonly is: 'value'; readonly value: Value; readonly text: string; readonly position: number }
  | { readonly is: 'end'; readonly text: ''; readonly position: number }

const KEYWORDS = new Set(['and', 'or', 'not', 'in', 'like', 'is', 'null', 'true', 'false'])

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let position = 0
  while (text.slice(position).trim() !== '') {
    WORD.lastIndex = position
    const match = WORD.exec(text)
    if (!match)
      throw new ConditionError(
        `cannot read ${text.slice(position).trim().slice(0, 20)}`,
        position + text.slice(position).search(/\S/),
      )
    const [all, sign, quoted, name, number, word] = match
    position += all.length - all.trimStart().length
    if (sign !== undefined) tokens.push({ is: 'sign', text: sign, position })
    else if (quoted !== undefined)
      tokens.push({ is: 'value', value: quoted.replaceAll("''", "'"), text: all.trim(), position })
    else if (name !== undefined) tokens.push({ is: 'name', text: name.replaceAll('""', '"'), position })
    else if (number !== undefined) tokens.push({ is: 'value', value: Number(number), text: number, position })
    else if (word !== undefined) {
      const lower = word.toLowerCase()
      if (lower === 'true' || lower === 'false')
        tokens.push({ is: 'value', value: lower === 'true', text: word, position })
      else if (KEYWORDS.has(lower)) tokens.push({ is: 'word', text: lower, position })
      else tokens.push({ is: 'name', text: word, position })
    }
    position += all.trimStart().length
  }
  return [...tokens, { is: 'end', text: '', position: text.length }]
}

const not = (value: boolean | undefined) => (value === undefined ? undefined : !value)

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Numbers by value, texts by their code points; a text that is no number against a number is compared as text. */
function order(cell: unknown, value: Value): number | undefined {
  if (cell === undefined || cell === null) return undefined
  const isNumber =
    typeof cell === 'number' || typeof cell === 'bigint' || (typeof cell === 'string' && NUMBER.test(cell))
  if (typeof value === 'number' && isNumber) return Number(cell) - value
  const [a, b] = [String(cell), String(value)]
  return a === b ? 0 : a < b ? -1 : 1
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': o => o === 0,
  '!=': o => o !== 0,
  '<>': o => o !== 0,
  '<': o => o < 0,
  '<=': o => o <= 0,
  '>': o => o > 0,
  '>=': o => o >= 0,
}

/**
 * `%` is any text, `_` any character. Both sides are walked once: a pattern costs its length times that of the text at
 * most.
 */
function isLike(text: string, pattern: string): boolean {
  let [t, p, star, mark] = [0, 0, -1, 0]
  while (t < text.length) {
    if (pattern[p] === '%') {
      star = p++
      mark = t
    } else if (pattern[p] === '_' || pattern[p] === text[t]) {
      p += 1
      t += 1
    } else if (star >= 0) {
      p = star + 1
      t = ++mark
    } else return false
  }
  while (pattern[p] === '%') p += 1
  return p === pattern.length
}

/** A condition, and the columns that it looks at. */
export interface Condition {
  readonly test: RowTest
  readonly columns: readonly string[]
}

/** Reads a condition. Throws ConditionError; `columns` are the names that it may have. */
export function readCondition(text: string, columns: readonly string[]): Condition {
  const used = new Set<string>()
  const tokens = tokensOf(text)
  const columnByLowerName = new Map(columns.map(name => [name.toLowerCase(), name]))
  let next = 0
  const peek = (): Token => tokens[next] ?? { is: 'end', text: '', position: text.length }
  const fail = (expected: string): never => {
    throw new ConditionError(
      `expected ${expected}${peek().text ? ` at ${peek().text}` : ' at the end'}`,
      peek().position,
    )
  }
  const take = (is: Token['is'], ...texts: readonly string[]): boolean => {
    const token = peek()
    if (token.is !== is || !texts.includes(token.text)) return false
    next += 1
    return true
  }
  const value = (): Value => {
    const token = peek()
    if (token.is !== 'value') return fail("a value: a number or a text as in 'vda'")
    next += 1
    return token.value
  }
  const values = (): readonly Value[] => {
    if (!take('sign', '(')) fail('(')
    const list = [value()]
    while (take('sign', ',')) list.push(value())
    if (!take('sign', ')')) fail(')')
    return list
  }
  const comparison = (): RowTest => {
    const token = peek()
    if (token.is !== 'name') return fail('the name of a column')
    next += 1
    const column = columnByLowerName.get(token.text.toLowerCase())
    if (column === undefined) throw new ConditionError(`there is no column ${token.text}`, token.position)
    used.add(column)
    const sign = peek()
    const ends =
      sign.is === 'end' ||
      (sign.is === 'sign' && sign.text === ')') ||
      (sign.is === 'word' && ['and', 'or'].includes(sign.text))
    if (ends && FLAGS.has(column.toLowerCase()))
      return row => {
        const found = order(row[column], true)
        return found === undefined ? undefined : found === 0
      }
    const compares = sign.is === 'sign' ? ORDERS[sign.text] : undefined
    if (compares) {
      next += 1
      const to = value()
      return row => {
        const found = order(row[column], to)
        return found === undefined ? undefined : compares(found)
      }
    }
    if (take('word', 'is')) {
      const negated = take('word', 'not')
      if (!take('word', 'null')) fail('null')
      return row => (row[column] === undefined || row[column] === null) !== negated
    }
    const negated = take('word', 'not')
    if (take('word', 'in')) {
      const list = values()
      return row => {
        if (row[column] === undefined || row[column] === null) return undefined
        return list.some(other => order(row[column], other) === 0) !== negated
      }
    }
    if (!take('word', 'like')) return fail('=, !=, <, <=, >, >=, in, like or is null')
    const pattern = String(value())
    return row =>
      row[column] === undefined || row[column] === null ? undefined : isLike(String(row[column]), pattern) !== negated
  }
  const test = (depth: number): RowTest => {
    if (depth > MAX_DEPTH) throw new ConditionError('nested too deeply', peek().position)
    if (take('word', 'not')) {
      const inner = test(depth + 1)
      return row => not(inner(row))
    }
    if (!take('sign', '(')) return comparison()
    const inner = either(depth + 1)
    if (!take('sign', ')')) fail(')')
    return inner
  }
  const parseChain = (word: string, decides: boolean, part: (depth: number) => RowTest, depth: number): RowTest => {
    const tests = [part(depth)]
    while (take('word', word)) tests.push(part(depth))
    return row => {
      const found = tests.map(test => test(row))
      return found.includes(decides) ? decides : found.includes(undefined) ? undefined : !decides
    }
  }
  const both = (depth: number) => parseChain('and', false, test, depth)
  const either = (depth: number): RowTest => parseChain('or', true, both, depth)
  const whole = either(0)
  if (peek().is !== 'end') fail('and, or or the end')
  return { test: whole, columns: [...used] }
}
