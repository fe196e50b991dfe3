import { type FileFault, placeIn } from '#authoring/files/file-fault.ts'
import { readJson } from '#authoring/files/json-file.ts'
import { readYaml, yamlToJson } from '#authoring/files/yaml-file.ts'
import type { Language } from '../../components/editor/place.ts'
import { configuration as texts } from '../../messages/configuration.ts'
import type { Data, ReadDocument } from './data.ts'

/** Document in a text; the same code reads property files in the service, so digits are kept and doubtful YAML is refused. */
export function readText(text: string, language: Language): ReadDocument {
  if (text.trim() === '') return { data: {} }
  const read = language === 'json' ? readJson('', text) : readYamlText(text)
  if ('faults' in read) return { problems: read.faults.map(problemOf) }
  const { value } = read
  if (value === null && language === 'yaml') return { data: {} }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { data: value as Data }
  return { problems: [{ ...placeIn(text, text.search(/\S/)), message: texts.notAnObject }] }
}

function readYamlText(text: string) {
  const yaml = readYaml('', text)
  return 'faults' in yaml ? yaml : yamlToJson(yaml, yaml.contents)
}

const problemOf = ({ line, column, message }: FileFault) => ({ line: line ?? 1, column, message })
