/** Charts as pictures: drawn by the code of the page, with the same figures; PNG and SVG show the same. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { Window } from 'happy-dom'
import { afterAll, describe, expect, it, test } from 'vitest'
import { ROOT, run, runProcess, traces } from '../../testing/run'
import { CHARTS } from '../names'
import { coverageOf, type Polygon } from '../raster/coverage'
import { loadFonts, textWidth } from '../raster/fonts'
import { letterPolygons } from '../raster/letters'
import { encodePng, type PixelImage } from '../raster/png'
import { colourOf, createRaster, createRasterSurface } from '../raster/raster'
import { outlineOf } from '../raster/stroke'
import { paletteOf } from './tokens'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-picture-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const MASKED = join(ROOT, 'tests/masks/queue')
const [BEFORE, AFTER] = ['a', 'b'].map(name => join(ROOT, 'public/samples/idling', name)) as [string, string]

/** Of a PNG with 8 bits per channel; rows are as they are or less the row above. */
function decodePng(file: Buffer): PixelImage {
  const [w, h] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const parts: Buffer[] = []
  for (let offset = 8; offset < file.length; offset += 12 + file.readUInt32BE(offset))
    if (file.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      parts.push(file.subarray(offset + 8, offset + 8 + file.readUInt32BE(offset)))
  const rows = inflateSync(Buffer.concat(parts))
  const data = new Uint8Array(w * h * 4)
  for (let y = 0; y < h; y += 1) {
    const up = rows[y * (w * 4 + 1)] === 2
    for (let i = 0; i < w * 4; i += 1)
      data[y * w * 4 + i] = (rows[y * (w * 4 + 1) + 1 + i] ?? 0) + (up && y > 0 ? (data[(y - 1) * w * 4 + i] ?? 0) : 0)
  }
  return { w, h, data }
}

const pixel = ({ w, data }: PixelImage, x: number, y: number): readonly number[] => [
  ...data.subarray((y * w + x) * 4, (y * w + x) * 4 + 3),
]
const rgb = (dark: boolean, token: string): readonly number[] => colourOf(paletteOf(dark)(token)).rgb

/** How many pixels have a colour. */
function countOf(image: PixelImage, colour: readonly number[]): number {
  let n = 0
  for (let i = 0; i < image.data.length; i += 4) if (colour.every((c, k) => image.data[i + k] === c)) n += 1
  return n
}

async function written(name: string, ...args: readonly string[]): Promise<Buffer> {
  const path = join(scratch, name)
  const { status, stdout, stderr } = await run(['plot', ...args, '-o', path])
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  expect(stderr).toContain(`wrote ${path}`)
  return readFileSync(path)
}

function parsed(svg: Buffer): { readonly texts: readonly string[]; readonly width: number; readonly height: number } {
  const parser = new new Window().DOMParser()
  const root = parser.parseFromString(svg.toString(), 'image/svg+xml').documentElement
  const texts = [...root.querySelectorAll('text')].map(text => text.textContent ?? '')
  return { texts, width: Number(root.getAttribute('width')), height: Number(root.getAttribute('height')) }
}

describe('PNG and SVG of two runs', async () => {
  const [svg, light, dark] = await Promise.all([
    written('a.svg', BEFORE, AFTER),
    written('a.png', BEFORE, AFTER),
    written('b.png', '--dark', BEFORE, AFTER),
  ])
  const { texts, width, height } = parsed(svg)
  const [day, night] = [decodePng(light), decodePng(dark)]

  it('have the same size, PNG at twice the resolution', () => {
    expect([day.w, day.h]).toEqual([width * 2, height * 2])
    expect([night.w, night.h]).toEqual([day.w, day.h])
  })

  it('have the colours of the page, in both themes', () => {
    for (const [image, isDark] of [
      [day, false],
      [night, true],
    ] as const) {
      expect(pixel(image, 2, 2)).toEqual(rgb(isDark, 'surface'))
      expect(pixel(image, 2, 2)).toEqual(isDark ? [0x15, 0x19, 0x1d] : [255, 255, 255])
      for (const token of ['run-a', 'run-b', 'starved', 'in-flight', 'proc-1', 'proc-4', 'density-1']) {
        expect(countOf(image, rgb(isDark, token)), token).toBeGreaterThan(100)
      }
    }
  })

  it('have the figures of the summary', async () => {
    const devices = (await traces([BEFORE, AFTER])).flatMap(trace => trace.devices)
    expect(devices.map(d => d.depth?.mean.toFixed(2))).toEqual(['2.37', '0.84'])
    expect(texts).toContain('mean 2.37, starved 2.93%')
    expect(texts).toContain('mean 0.839, starved 19.5%')
    expect(texts).toContain('A ends at 4.03 s; B runs 3.74 s longer')
  })

  it('have the same scale for both runs', () => {
    for (const tick of ['1,502,048', '2,048', '300 ms', '50%'])
      expect([tick, texts.filter(text => text === tick).length]).toEqual([tick, 2])
  })
})

test('what a recording lacks has its reason', async () => {
  const { texts } = parsed(await written('masked.svg', ...CHARTS.flatMap(name => ['--chart', name]), MASKED))
  const words = texts.filter(text => text !== '').join(' ')
  for (const title of ['Queue depth', 'Throughput', 'Latency'])
    expect(words).toMatch(new RegExp(`${title} A Absent: recorded without [a-z ()CD]+\\.`))
  // The word of an axis that is not there would be about nothing.
  expect(words).not.toContain('MB/s completed')
})

test('every chart can be drawn, of one run and of five', async () => {
  const all = CHARTS.flatMap(name => ['--chart', name])
  const fixture = (name: string) => join(ROOT, 'tests/fixtures', name)
  const single = parsed(
    await written('one.svg', ...all, fixture('raid5-misaligned'), '--stripe', 'unit=256KiB,disks=4,level=raid5'),
  )
  for (const title of [
    'Seek map',
    'Queue depth',
    'Throughput',
    'IOPS',
    'Latency',
    'Position in stripe',
    'Latency by percentile',
    'Where the time goes',
    'Request size',
    'Stripe alignment',
    'Flushes',
  ])
    expect(single.texts.some(text => text.startsWith(title))).toBe(true)
  const five = parsed(
    await written('five.svg', ...all, ...['discard', 'dropped', 'requeue', 'sync-fua', 'io-errors'].map(fixture)),
  )
  for (const letter of 'ABCDE') expect(five.texts).toContain(letter)
  expect(five.texts).toContain('events lost')
  expect(five.texts.some(text => text.includes('\u2020'))).toBe(true)
})

test('a picture goes to standard output, too', async () => {
  const { stdout, status } = await runProcess(['plot', '--svg', BEFORE])
  expect(status).toBe(0)
  expect(stdout).toMatch(/^<svg .*<\/svg>\n$/s)
})

describe('coverage', () => {
  const CLIP = { x0: 0, y0: 0, x1: 20, y1: 20 }
  const sum = (polygons: readonly Polygon[]) => coverageOf(polygons, CLIP)?.data.reduce((a, b) => a + b, 0) ?? 0
  const box = (x: number, y: number, w: number, h: number): Polygon => [
    { x, y },
    { x: x + w, y },
    { x: x + w, y: y + h },
    { x, y: y + h },
  ]
  it('is the area of what is filled', () => {
    expect(sum([box(1.25, 2.5, 3.5, 4.25)])).toBeCloseTo(3.5 * 4.25, 4)
    expect(
      sum([
        [
          { x: 1, y: 1 },
          { x: 18, y: 4 },
          { x: 5, y: 17 },
        ],
      ]),
    ).toBeCloseTo((17 * 16 - 4 * 3) / 2, 3)
  })
  it('is cut off at the clip, without smearing', () => {
    expect(sum([box(-5, -5, 10, 10)])).toBeCloseTo(25, 4)
    expect(sum([box(15, 15, 50, 50)])).toBeCloseTo(25, 4)
    expect(sum([box(30, 3, 5, 5)])).toBe(0)
  })
  it('counts once where boxes overlap', () => expect(sum([box(2, 2, 4, 4), box(4, 2, 4, 4)])).toBeCloseTo(24, 4))
  it('of a line is its length times its width, with gaps for dashes', () => {
    const line = [
      { x: 2, y: 5 },
      { x: 18, y: 5 },
    ]
    expect(sum(outlineOf(line, false, 2, []))).toBeCloseTo(32, 3)
    expect(sum(outlineOf(line, false, 2, [2, 2]))).toBeCloseTo(16, 3)
  })
})

test('a raster keeps what is outside of a clip, and what shines through', () => {
  const raster = createRaster(8, 8)
  const surface = createRasterSurface(raster, { x: 0, y: 0, w: 8, h: 8, scale: 1 })
  surface.fillStyle = '#ffffff'
  surface.fillRect(0, 0, 8, 8)
  surface.save()
  surface.beginPath()
  surface.rect(0, 0, 4, 4)
  surface.clip()
  surface.globalAlpha = 0.5
  surface.fillStyle = '#000000'
  surface.fillRect(0, 0, 8, 8)
  surface.restore()
  expect(pixel(raster, 1, 1)).toEqual([128, 128, 128])
  expect(pixel(raster, 5, 5)).toEqual([255, 255, 255])
  expect(decodePng(encodePng(raster)).data).toEqual(new Uint8Array(raster.data))
})

describe('the font', () => {
  const fonts = loadFonts()
  it('has the letters that charts need', () => {
    for (const character of 'AZaz09%,.;:()<>/\u00b5\u00d7\u2212\u2020\u2026\u00e9\u0416')
      expect([character, fonts[400].glyphOf(character.codePointAt(0) ?? 0) > 0]).toEqual([character, true])
    expect(fonts[400].glyphOf(0x6f22)).toBe(0)
  })
  it('draws a box for others, not nothing', () =>
    expect(letterPolygons(fonts[400], '\u6f22', { x: 0, y: 10, size: 10 }).length).toBeGreaterThan(0))
  it('is measured by its metrics', () => {
    // Roboto: 1336 and 1196 of 2048 units.
    expect(textWidth(fonts[400], 'A', 2048)).toBe(1336)
    expect(textWidth(fonts[400], 'AA', 11)).toBeCloseTo((2 * 1336 * 11) / 2048, 6)
    expect(textWidth(fonts[600], 'queue', 12)).toBeGreaterThan(textWidth(fonts[400], 'queue', 12))
  })
  it('composes letters with accents', () =>
    expect(letterPolygons(fonts[400], '\u00e9', { x: 0, y: 10, size: 10 }).length).toBeGreaterThan(
      letterPolygons(fonts[400], 'e', { x: 0, y: 10, size: 10 }).length,
    ))
})
