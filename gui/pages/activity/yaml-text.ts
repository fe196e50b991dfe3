/** Text of a value in the manner of YAML, for reading: one line for each value, nested ones indented. */
export function yamlText(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}[]`
    return value
      .map(each =>
        isNested(each) ? `${indent}- ${yamlText(each, `${indent}  `).trimStart()}` : `${indent}- ${scalar(each)}`,
      )
      .join('\n')
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return `${indent}{}`
    return entries
      .map(([name, each]) =>
        isNested(each)
          ? `${indent}${key(name)}:\n${yamlText(each, `${indent}  `)}`
          : `${indent}${key(name)}: ${scalar(each, indent)}`,
      )
      .join('\n')
  }
  return indent + scalar(value, indent)
}

const isNested = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function scalar(value: unknown, indent = ''): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}'
  if (typeof value !== 'string') return String(value)
  if (/\n./.test(value)) return `|\n${value.replace(/\n$/, '').replaceAll(/^/gm, `${indent}  `)}`
  return isPlain(value) ? value : JSON.stringify(value)
}

const key = (name: string): string => (isPlain(name) ? name : JSON.stringify(name))

/** Whether a text reads the same without quotes: no other type, no signs of YAML. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z_/.][^\n#:]*$/.test(text) && text === text.trim() && !/^(true|false|null|yes|no|on|off|y|n|~)$/i.test(text)
