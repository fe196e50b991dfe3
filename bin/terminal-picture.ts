import { text } from 'node:stream/consumers'

/**
 * Renders terminal output, with its colors, as an SVG: `… | node bin/terminal-picture.ts 'Title' > docs/release.svg`.
 * Lines that begin with `$ ` are shown as commands.
 */
const colors: Readonly<Record<string, string>> = {
  '31': '#f47067',
  '32': '#6bc46d',
  '33': '#daaa3f',
  '34': '#6cb6ff',
  '35': '#dcbdfb',
  '36': '#56d4dd',
  '90': '#8b949e',
  '2': '#8b949e',
}
const [charWidth, lineHeight, margin, bar] = [8.43, 20, 20, 34]
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the escape sequences of terminals.
const sequence = /\x1b\[([\d;]*)([A-Za-z])/

const escaped = (part: string) => part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** One line as the contents of a text element, and its width in characters. */
function lineOf(line: string): { svg: string; width: number } {
  const parts = line.split(new RegExp(sequence, 'g'))
  let [svg, width, style] = ['', 0, line.startsWith('$ ') ? ' font-weight="600" fill="#ffffff"' : '']
  for (let i = 0; i < parts.length; i += 3) {
    const piece = parts[i] ?? ''
    if (piece) svg += style ? `<tspan${style}>${escaped(piece)}</tspan>` : escaped(piece)
    width += piece.length
    const codes = parts[i + 1]?.split(';') ?? []
    const color = codes.map(code => colors[code]).find(each => each !== undefined)
    style = `${color ? ` fill="${color}"` : ''}${codes.includes('1') ? ' font-weight="600"' : ''}`
  }
  return { svg, width }
}

const title = process.argv[2] ?? 'Terminal'
const lines = (await text(process.stdin)).replaceAll('\r', '').trimEnd().split('\n').map(lineOf)
const width = Math.ceil(Math.max(...lines.map(each => each.width)) * charWidth) + 2 * margin
const height = lines.length * lineHeight + 2 * margin + bar
const rows = lines.map(
  ({ svg }, i) =>
    `  <text x="${margin}" y="${bar + margin + (i + 0.7) * lineHeight}" xml:space="preserve">${svg}</text>`,
)
console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-size="14" fill="#c9d1d9"
  font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace">
  <title>${escaped(title)}</title>
  <rect width="${width}" height="${height}" rx="8" fill="#161b22"/>
  <circle cx="20" cy="17" r="5" fill="#f47067"/><circle cx="38" cy="17" r="5" fill="#daaa3f"/><circle cx="56" cy="17" r="5" fill="#6bc46d"/>
${rows.join('\n')}
</svg>`)
