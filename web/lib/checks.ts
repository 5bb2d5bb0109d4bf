/** Checks of documents from outside: whether their fields have the types that the code relies on. */

export type Check = (value: unknown) => boolean

/** Checks of the fields of a type; fields without one are not looked at. */
export type Checks<T> = { readonly [K in keyof T]?: Check }

/** Checks of all fields of a type. */
export type CompleteChecks<T> = { readonly [K in keyof T]-?: Check }

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !isList(value)

export const isText: Check = value => typeof value === 'string'

/** JSON has no infinite numbers, but some that are too large for a double. */
export const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)

/** A whole number, 0 or more. */
export const isCount: Check = value => Number.isSafeInteger(value) && Number(value) >= 0

export const isFlag: Check = value => typeof value === 'boolean'

export const isOneOf =
  (words: readonly string[]): Check =>
  value =>
    typeof value === 'string' && words.includes(value)

export const absentOr =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

export const isListOf =
  (check: Check, maxCount = Number.POSITIVE_INFINITY): Check =>
  value =>
    isList(value) && value.length <= maxCount && value.every(check)

/** The first field that is not as its check asks; undefined if all are. */
export const unsoundField = <T>(value: Readonly<Record<string, unknown>>, checks: Checks<T>): string | undefined =>
  Object.entries<Check | undefined>(checks).find(([key, check]) => !check?.(value[key]))?.[0]

/** Whether an object has all fields of a type that are checked. */
export const isSound = <T>(value: unknown, checks: Checks<T>): boolean =>
  isObject(value) && unsoundField(value, checks) === undefined

export const isObjectWith =
  <T>(checks: Checks<T>): Check =>
  value =>
    isSound(value, checks)
