import { readYaml, yamlToJson } from '#authoring/files/yaml-file.ts'
import { run as texts } from '../../messages/run.ts'

export type JsonData = Readonly<Record<string, unknown>>

/** Property overrides as read, or where they are wrong. */
export type ReadOverrides = { readonly data: JsonData } | { readonly line: number; readonly message: string }

/** Reads YAML, which JSON is as well, by the rules of property files: digits are kept, and doubtful YAML is refused. */
export function readOverridesText(text: string): ReadOverrides {
  const yaml = readYaml('', text)
  const read = 'faults' in yaml ? yaml : yamlToJson(yaml, yaml.contents)
  if ('faults' in read) {
    const [fault] = read.faults
    return { line: fault?.line ?? 1, message: fault?.message ?? '' }
  }
  const { value } = read
  if (value === null) return { data: {} }
  return typeof value === 'object' && !Array.isArray(value)
    ? { data: value as JsonData }
    : { line: 1, message: texts.notAnObject }
}
