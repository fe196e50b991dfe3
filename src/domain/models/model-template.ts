/**
 * Compiles a `model.json.erb` to a program: text is written as it is, the code of `<% %>` runs, `<%= %>` writes a value
 * escaped for JSON, `<%- %>` writes it as it is, `<%# %>` is a comment, `<%%` is a literal `<%`, and `-%>` removes the
 * line break behind it.
 *
 * Pure: the code is not parsed here, let alone run.
 */
export interface ModelProgram {
  readonly code: string
  /** The template's line for each line of the code, both from 1: `lines[0]` is that of line 1. */
  readonly lines: readonly number[]
}

export interface TemplateFault {
  readonly line: number
  readonly message: string
}

export function compileModel(template: string): ModelProgram | TemplateFault {
  const program = new Lines()
  let line = 1
  let at = 0
  const text = (piece: string) => {
    if (piece !== '') program.add(`$text(${JSON.stringify(piece)});\n`, line, false)
    line += lineBreaks(piece)
  }
  while (at < template.length) {
    const opens = template.indexOf('<%', at)
    if (opens < 0) break
    text(template.slice(at, opens))
    if (template.startsWith('<%%', opens)) {
      text('<%')
      at = opens + 3
      continue
    }
    const closes = template.indexOf('%>', opens + 2)
    if (closes < 0) return { line, message: 'A "<%" is opened here and never closed by "%>".' }
    const trims = template[closes - 1] === '-' && closes - 1 > opens + 2
    const inner = template.slice(opens + 2, trims ? closes - 1 : closes)
    program.add(tagCode(inner), line, true)
    line += lineBreaks(inner)
    at = closes + 2
    if (trims) {
      const rest = /^\r?\n/.exec(template.slice(at, at + 2))
      if (rest) {
        at += rest[0].length
        line += 1
      }
    }
  }
  text(template.slice(at))
  return { code: program.code, lines: program.lines }
}

/** The line break behind the code ends a comment at its end. */
function tagCode(inner: string): string {
  if (inner.startsWith('#')) return `${'\n'.repeat(lineBreaks(inner))}\n`
  if (inner.startsWith('=')) return `$json(${inner.slice(1)}\n);\n`
  if (inner.startsWith('-')) return `$raw(${inner.slice(1)}\n);\n`
  return `${inner}\n`
}

const lineBreaks = (text: string): number => text.split('\n').length - 1

class Lines {
  code = ''
  readonly lines: number[] = []

  /** @param follows whether the lines of the code are lines of the template */
  add(code: string, line: number, follows: boolean): void {
    this.code += code
    for (let each = 0; each < lineBreaks(code); each += 1) this.lines.push(follows ? line + each : line)
  }
}
