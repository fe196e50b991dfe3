import type { FileFault } from './file-fault.ts'

/**
 * The faults of a file. Those caused by template text without quotes (`{{ x }}`, `{% if x %}`) are named as such, once
 * a line: to a parser it is braces within braces.
 */
export function namingTemplates(text: string, faults: readonly FileFault[]): FileFault[] {
  if (!/\{[{%]/.test(text)) return [...faults]
  const lines = text.split('\n')
  const templateIn = new Map<number, RegExpExecArray | null>()
  const named = new Map<number, FileFault>()
  const others = faults.filter(fault => {
    if (!templateIn.has(fault.line)) templateIn.set(fault.line, unquoted.exec(lines[fault.line - 1] ?? ''))
    const [, before, template] = templateIn.get(fault.line) ?? []
    if (before === undefined || template === undefined) return true
    named.set(fault.line, { ...fault, column: before.length + 1, message: messageOf(template) })
    return false
  })
  return [...named.values(), ...others]
}

/**
 * Pattern of the place where a value or a key can begin: after nothing but quoted texts and a character that precedes
 * one.
 */
const unquoted = /^((?:"(?:\\.|[^"\\])*"|'[^']*'|[^"'#])*?(?:^|[:=,[{-])[ \t]*)(\{(?:\{[^{}]*\}\}|%[^%]*%\}))/

const messageOf = (template: string): string =>
  template.startsWith('{{')
    ? `"${template}" without quotes is no text: put the whole value in quotes.`
    : `"${template}" is template text: the file is read as it is, nothing fills it in. Write the value, or a text in quotes.`
