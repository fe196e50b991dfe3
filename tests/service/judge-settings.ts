import { isDeepStrictEqual } from 'node:util'
import { levelsOfSetting, type SettingTable, settings } from '../contract/specification/settings.ts'
import type { Client } from '../support/api.ts'
import type { Judged } from './judge-record.ts'

interface Described {
  readonly default?: unknown
  readonly 'x-levels': readonly string[]
  readonly 'x-secret'?: unknown
  readonly 'x-allowed-by'?: string
}

/**
 * The settings catalogue: its description by the service, and valid and invalid values at each level. It may have more
 * settings than the specification.
 *
 * @param records level → path of the settings record of one such owner
 */
export async function judgeSettings(client: Client, records: Readonly<Record<string, string>>): Promise<Judged> {
  const judged: Judged = new Map()
  const { body } = await client.get('/api/settings_schema')
  const described = (body?.properties ?? {}) as Record<string, Described>
  for (const [key, wanted] of Object.entries(settings)) judged.set(key, describedFault(wanted, described[key]))

  const listed = Object.entries(settings).filter(([, { listed: chooses }]) => chooses)
  const allowed = Object.fromEntries(listed.map(([key, { sample }]) => [`allowed.${key}`, [sample]]))
  await client.patch(records['global']!, { data: allowed })
  for (const [level, record] of Object.entries(records)) await judgeLevel(level, record, client, judged)
  return judged
}

function describedFault(wanted: SettingTable, given: Described | undefined): string | undefined {
  if (!given) return 'there is no such setting'
  if (!isDeepStrictEqual(given.default, wanted.default)) return `its default is ${JSON.stringify(given.default)}`
  if (!isDeepStrictEqual([...given['x-levels']].toSorted(), [...levelsOfSetting(wanted)].toSorted()))
    return `it stands on ${given['x-levels'].join(', ')}`
  if (Boolean(given['x-allowed-by']) !== Boolean(wanted.listed)) return 'whether its values are listed is otherwise'
  return wanted.secret && !given['x-secret'] ? 'it is no secret' : undefined
}

/** All at once, because all faults are reported at once: each invalid value and each key that is not allowed here. */
async function judgeLevel(level: string, record: string, client: Client, judged: Judged): Promise<void> {
  const here = Object.entries(settings).filter(([, table]) => levelsOfSetting(table).includes(level))
  const elsewhere = Object.entries(settings).filter(([, table]) => !levelsOfSetting(table).includes(level))
  const taken = await client.patch(record, { data: valuesOf(here, 'sample') })
  judged.set(`${level}.takes`, taken.status === 200 ? undefined : taken.text.slice(0, 500))
  const removed = await client.patch(record, { data: Object.fromEntries(here.map(([key]) => [key, null])) })
  judged.set(`${level}.removes`, removed.status === 200 ? undefined : removed.text.slice(0, 500))
  const wrong = await client.patch(record, { data: valuesOf(here, 'wrong') })
  judged.set(`${level}.wrong_values`, pointed(wrong, here))
  if (elsewhere.length === 0) return
  const misplaced = await client.patch(record, { data: valuesOf(elsewhere, 'sample') })
  judged.set(`${level}.misplaced`, pointed(misplaced, elsewhere))
}

type Entries = readonly (readonly [string, SettingTable])[]

const valuesOf = (entries: Entries, which: 'sample' | 'wrong') =>
  Object.fromEntries(entries.map(([key, table]) => [key, table[which]]))

/** 422, with a pointer to each of these keys. */
function pointed({ status, body }: { status: number; body: unknown }, entries: Entries): string | undefined {
  const { errors = [] } = (body ?? {}) as { errors?: { source?: { pointer?: string } }[] }
  const pointers = errors.map(({ source }) => source?.pointer ?? '')
  const silent = entries.filter(
    ([key]) => !pointers.some(pointer => pointer.startsWith(`/data/attributes/data/${key}`)),
  )
  if (status === 422 && silent.length === 0) return undefined
  return `answers ${status} and is silent about ${silent.map(([key]) => key).join(', ')}`
}
