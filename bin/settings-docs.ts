import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue, type Setting } from '../src/domain/settings/index.ts'
import { code, rowOf, schemaInWords } from './schema-in-words.ts'

/** docs/settings.md as the catalogue has it now. `node bin/settings-docs.ts` writes it; a test compares. */
export const settingsFile = join(import.meta.dirname, '../docs/settings.md')

const own = Object.entries(catalogue).filter(([key]) => !key.startsWith('allowed.'))
const listed = own.filter(([, { listed: is }]) => is).map(([key]) => `\`allowed.${key}\``)

export const settingsDocs =
  (): string => `<!-- Made by bin/settings-docs.ts from the catalogue of settings; edit that. -->
# Settings

Settings say how the service treats nodes and what is done with them. Each owner of settings (the installation, a project,
an environment, an asset, an agent, a template, a template version) has a record of its own, and the most specific one
that states a setting wins: global, project, environment, asset or agent, and the overrides of a change. Those of a template
and of its versions say what is done with the template itself. What holds for a node, and where it comes from, is its
\`converged_settings\`. The global settings are the \`settings\` of
\`/api/system_configuration\`. A PATCH of \`/api/settings/{id}\` takes \`data\`, an object with the names below as its keys;
\`null\` removes one, so that it is inherited again.

An environment variable \`SERVICE_OVERRIDE_<NAME>\` beats whatever is stored: the name in upper case, its dots as \`__\`, the
value as JSON or as text. \`GET /api/settings_schema\` answers this table as JSON Schema.

Secret values are encrypted where they are stored, and answered as \`{{hidden}}\`. A setting marked *listed* chooses isolation
or addresses: below global it takes only values that the global setting of the same name with \`allowed.\` before it lists
(${listed.join(', ')}; arrays, empty at first).

| setting | value | default | set on | what it says |
|---|---|---|---|---|
${own.map(row).join('\n')}
`

function row([key, setting]: [string, Setting]): string {
  const { schema, levels, why, secret, listed: isListed, unheeded } = setting
  const secrets = Array.isArray(secret) ? `Secret: ${secret.map(code).join(', ')}.` : secret ? 'Secret.' : ''
  const says = [why, isListed ? '*Listed.*' : '', secrets, unheeded ? `**Without effect so far:** ${unheeded}` : '']
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
