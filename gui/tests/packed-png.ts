import { crc32, deflateSync, inflateSync } from 'node:zlib'

/**
 * Stores a picture as PNG with a palette of few colours, in a fifth of the bytes. The most frequent colours, such as all
 * grounds, stay exact; the many mixtures at the edges of letters become their nearest neighbours, unless a comparison of
 * pictures would see the difference in more than a fifth of what it tolerates.
 *
 * @param png as Chromium writes it: 8 bits, RGB or RGBA, not interlaced
 */
export function packedPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')!.data
  if (header[9] === indexed) return png
  const [width, bytes] = [header.readUInt32BE(0), header[9] === 6 ? 4 : 3]
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(each => each.data)))
  const colours = coloursOf(unfiltered(data, width * bytes, bytes), bytes)
  const { palette, places } = smallPalette(colours)
  const described = Buffer.from(header)
  described[8] = palette.length <= 16 ? 4 : 8
  described[9] = indexed
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', described),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rowsOf(colours, places, width, described[8]), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Rows of places in the palette, two in a byte if there are at most 16, each row after a zero: no filter. */
function rowsOf(colours: Uint32Array, places: ReadonlyMap<number, number>, width: number, bits: number): Buffer {
  const perByte = 8 / bits
  const stride = Math.ceil(width / perByte) + 1
  const rows = Buffer.alloc((stride * colours.length) / width)
  for (const [i, colour] of colours.entries()) {
    const at = Math.floor(i / width) * stride + 1 + Math.floor((i % width) / perByte)
    rows[at] = rows[at]! | (places.get(colour)! << (perByte === 2 && (i % width) % 2 === 0 ? 4 : 0))
  }
  return rows
}

/** Colour type of pictures with a palette. */
const indexed = 3

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

/** Bytes of the pixels: each row is stored as differences to its neighbours, by one of five filters. */
function unfiltered(data: Buffer, stride: number, bytes: number): Buffer {
  const height = data.length / (stride + 1)
  const pixels = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)]!
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= bytes ? pixels[at - bytes]! : 0
      const above = y > 0 ? pixels[at - stride]! : 0
      const corner = x >= bytes && y > 0 ? pixels[at - stride - bytes]! : 0
      pixels[at] = data[at + y + 1]! + prediction(filter, left, above, corner)
    }
  }
  return pixels
}

function prediction(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}

function coloursOf(pixels: Buffer, bytes: number): Uint32Array {
  const colours = new Uint32Array(pixels.length / bytes)
  for (let i = 0; i < colours.length; i++)
    colours[i] = (pixels[i * bytes]! << 16) | (pixels[i * bytes + 1]! << 8) | pixels[i * bytes + 2]!
  return colours
}

/** Sizes of palettes that are tried, and the share of pixels that may be seen to differ. */
const sizes = [16, 24, 32, 64, 128, 256]
const tolerated = 0.0002

interface Palette {
  readonly palette: readonly number[]
  /** Place in the palette for each colour of the picture. */
  readonly places: ReadonlyMap<number, number>
}

function smallPalette(colours: Uint32Array): Palette {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour)
  for (const size of sizes) {
    const frequent = byCount.slice(0, size / 2)
    const rest = byCount.slice(size / 2)
    const palette = [...frequent, ...spread(rest, frequent, size - frequent.length)]
    const places = new Map(byCount.map(colour => [colour, nearest(palette, colour)]))
    const seen = byCount.filter(colour => isSeen(palette[places.get(colour)!]!, colour))
    const pixels = seen.reduce((sum, colour) => sum + counts.get(colour)!, 0)
    if (pixels <= tolerated * colours.length || size === sizes.at(-1)) return { palette, places }
  }
  throw new Error('no palette was tried')
}

/** Colours of a list, each of which is the one farthest from those chosen before. */
function spread(rest: readonly number[], palette: readonly number[], count: number): number[] {
  const chosen: number[] = []
  const far = rest.map(colour => Math.min(...palette.map(each => distance(each, colour))))
  while (chosen.length < count) {
    const at = far.indexOf(Math.max(...far))
    if (at === -1 || far[at] === 0) break
    chosen.push(rest[at]!)
    for (const [i, colour] of rest.entries()) far[i] = Math.min(far[i]!, distance(rest[at]!, colour))
  }
  return chosen
}

function nearest(palette: readonly number[], colour: number): number {
  const far = palette.map(each => distance(each, colour))
  return far.indexOf(Math.min(...far))
}

/** Whether a comparison with the threshold 0.1 takes the colours for different: their distance in brightness and tint. */
function isSeen(one: number, other: number): boolean {
  const [r, g, b] = channels(one).map((channel, i) => channel - channels(other)[i]!) as [number, number, number]
  const brightness = r * 0.298_895_31 + g * 0.586_622_47 + b * 0.114_482_23
  const tints = [
    r * 0.595_977_99 - g * 0.274_176_1 - b * 0.321_801_89,
    r * 0.211_470_17 - g * 0.522_617_11 + b * 0.311_146_94,
  ] as const
  const distant = 0.5053 * brightness ** 2 + 0.299 * tints[0] ** 2 + 0.1957 * tints[1] ** 2
  return distant > 35_215 * 0.1 ** 2
}

const channels = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255]

function distance(one: number, other: number): number {
  const [a, b] = [channels(one), channels(other)]
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(content))
  return Buffer.concat([frame, content, check])
}
