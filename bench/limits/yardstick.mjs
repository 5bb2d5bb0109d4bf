/** The same work on every machine, for `costOf`: what it takes tells how fast a processor is right now. */
const values = new Float64Array(1 << 20)
for (let round = 0; round < 2; round++) {
  for (let i = 0, random = 1; i < values.length; i++) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    values[i] = random
  }
  values.sort()
}
