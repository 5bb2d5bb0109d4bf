/**
 * Tails of the normal and of Student's distribution, down to 1e-300, and the largest of many correlated normal values.
 */

const LOG_SQRT_2PI = 0.9189385332046727

/** ln of the gamma function, x > 0: Stirling's series above 10, reached by the recurrence. */
function logGamma(x: number): number {
  let [shift, at] = [0, x]
  while (at < 10) shift -= Math.log(at++)
  const square = at * at
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / at
  return shift + (at - 0.5) * Math.log(at) - at + LOG_SQRT_2PI + series
}

/** Continued fraction of the incomplete beta function (modified Lentz). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const avoidZero = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let [c, d] = [1, 1 / avoidZero(1 - ((a + b) * x) / (a + 1))]
  let fraction = d
  for (let m = 1; m <= 500; m++) {
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / avoidZero(1 + term * d)
      c = avoidZero(1 + term / c)
      fraction *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-14) break
  }
  return fraction
}

/** The share of a beta distribution below x. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Two-sided tail of Student's t distribution. */
export const studentTail = (t: number, freedom: number): number =>
  incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)

const normalDensity = (x: number): number => Math.exp(-x * x * 0.5 - LOG_SQRT_2PI)

/** Upper tail of the normal distribution, for x ≥ 0. */
export function normalTail(x: number): number {
  if (x > 3) {
    let fraction = 0
    for (let k = 60; k > 0; k--) fraction = k / (x + fraction)
    return normalDensity(x) / (x + fraction)
  }
  let [term, sum] = [x, x]
  for (let k = 1; k < 100; k++) {
    term *= (x * x) / (2 * k + 1)
    sum += term
  }
  return 0.5 - normalDensity(x) * sum
}

/** The x at which a falling function has this value, between 0 and 1e6. */
function solve(falling: (x: number) => number, value: number): number {
  let [low, high] = [0, 1]
  while (falling(high) > value && high < 1e6) high *= 2
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (falling(middle) > value) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Two-sided 95% quantile of Student's t distribution. */
export const student95 = (freedom: number): number => solve(t => studentTail(t, freedom), 0.05)

/** The normal value that is as rare, on both sides, as this share. */
export const normalAt = (share: number): number => solve(x => 2 * normalTail(x), Math.max(share, 1e-290))

/** Siegmund's correction for looking at discrete positions. */
function discrete(x: number): number {
  const tail = 0.5 - normalTail(x / 2)
  return x < 1e-6 ? 1 : ((2 / x) * tail) / ((x / 2) * (tail + 0.5) + normalDensity(x / 2))
}

/**
 * Probability that the largest |difference of means| (in standard errors), over all positions of a series of `n`
 * normal values without a change, is at least `b`. Both sides have `minLength` values or more. Approximation of
 * James, James and Siegmund (1987). Without it, testing the best of all positions as if it were the only one would
 * report far too many changes.
 */
export function scanTail(b: number, n: number, minLength: number): number {
  if (n < 2 * minLength) return 1
  if (b < 1) return 1
  const step = Math.max(1, Math.floor(n / 400))
  let sum = 0
  for (let k = minLength; k < n - minLength; k += step) {
    const t = Math.min(k + step / 2, n - minLength) / n
    sum += (Math.min(step, n - minLength - k) / n / (t * (1 - t))) * discrete(b / Math.sqrt(n * t * (1 - t)))
  }
  return Math.min(1, b * normalDensity(b) * sum + 2 * normalTail(b))
}
