import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { jsonOf } from '#authoring/files/fields.ts'
import { parseYaml } from '#authoring/files/yaml-file.ts'
import { parseWorkflow } from '#authoring/workflows/read-workflow.ts'
import { workflowSchema } from '#authoring/workflows/workflow-schema.ts'

const accepts = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: false }).compile(
  workflowSchema(),
)

/** Faults of the reader that JSON Schema cannot express: they are about the whole, or compare values. */
const beyondSchema = [
  /^The steps come to more than 10000/,
  /^Stages are nested deeper than 16 levels/,
  /^"template_versions" has one version for all targets or one for each/,
  /approvals are asked of/,
  /occurs twice in "(?:user_names|ldap_groups)"/,
  /^"start_time" is a time with its zone/,
  /^There is no time zone/,
  /has more than (?:255|100) characters/,
  /loses digits/,
]

/** Outcome of both for one source; `none`: the source is no YAML that could be shown to the schema. */
export type Agreement = 'both accept' | 'both refuse' | 'only the reader refuses' | 'none'

/** Asserts that reader and schema agree on a source, but for faults that a schema cannot express. */
export function agreementOn(source: string): Agreement {
  const yaml = parseYaml('', source)
  if ('faults' in yaml) return 'none'
  const faults: never[] = []
  const document = jsonOf({ yaml, faults }, yaml.contents)
  if (document === undefined) return 'none'
  const parsed = parseWorkflow(source)
  const isValid = accepts(document)
  if ('steps' in parsed) {
    assert.ok(isValid, `The schema refuses what the reader accepts: ${source}\n${JSON.stringify(accepts.errors)}`)
    return 'both accept'
  }
  if (!isValid) return 'both refuse'
  for (const { message } of parsed.errors)
    assert.ok(
      beyondSchema.some(each => each.test(message)),
      `The schema accepts what the reader refuses: ${source}\n${message}`,
    )
  return 'only the reader refuses'
}
