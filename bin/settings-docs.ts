import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue, type Setting } from '../src/domain/settings/index.ts'
import { code, rowOf, schemaInWords } from './schema-in-words.ts'

/** docs/settings.md generated from the catalogue. `node bin/settings-docs.ts` writes it; a test compares it. */
export const settingsFile = join(import.meta.dirname, '../docs/settings.md')

const own = Object.entries(catalogue).filter(([key]) => !key.startsWith('allowed.'))
const listed = own.filter(([, { listed: is }]) => is).map(([key]) => `\`allowed.${key}\``)

export const settingsDocs =
  (): string => `<!-- Made by bin/settings-docs.ts from the catalogue of settings; edit that. -->
# Settings

Settings configure the behavior of the service for nodes and changes. Each owner of settings (the installation, a project,
an environment, an asset, an agent, a template, a template version) has its own record, and the most specific layer that
contains a setting takes precedence: global, project, environment, asset or agent, and the overrides of a change. Settings of
templates and template versions apply to the template itself. The \`converged_settings\` of a node are its effective values
with their sources. The global settings are the \`settings\` of \`/api/system_configuration\`. A PATCH of
\`/api/settings/{id}\` takes \`data\`, an object with the names below as its keys; \`null\` removes a value, so that it is
inherited again.

An environment variable \`SERVICE_OVERRIDE_<NAME>\` overrides all stored values: the name in upper case, dots written as
\`__\`, the value as JSON or as text. \`GET /api/settings_schema\` returns this table as JSON Schema.

Secret values are stored encrypted and returned as \`{{hidden}}\`. Settings marked *listed* select isolation or addresses:
below the global level they accept only values listed in the global setting of the same name with the prefix \`allowed.\`
(${listed.join(', ')}; arrays, empty by default).

| setting | value | default | levels | meaning |
|---|---|---|---|---|
${own.map(row).join('\n')}
`

function row([key, setting]: [string, Setting]): string {
  const { schema, levels, why, secret, listed: isListed, unheeded } = setting
  const secrets = Array.isArray(secret) ? `Secret: ${secret.map(code).join(', ')}.` : secret ? 'Secret.' : ''
  const says = [why, isListed ? '*Listed.*' : '', secrets, unheeded ? `**Not yet effective:** ${unheeded}` : '']
  const cells = [
    code(key),
    schemaInWords(schema),
    setting.default === undefined ? '–' : code(JSON.stringify(setting.default)),
    levels.map(level => level.replaceAll('_', ' ')).join(', '),
    says.filter(Boolean).join(' '),
  ]
  return rowOf(cells)
}

if (process.argv[1] === import.meta.filename) writeFileSync(settingsFile, settingsDocs())
