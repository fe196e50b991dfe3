import type { Resource } from '../client/sluice.ts'
import { fromFile } from './input.ts'
import { recordText } from './output.ts'
import { plainLine } from './plain-text.ts'
import { kindNamed } from './record-kinds.ts'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

type Policy = Resource<{ updated_at: string; description: string | null }>

const collection = '/api/authorisation_policies'
/** Attributes of the file that the service stores as separate lists, and the path of each. */
const lists = { authorisation_rules: 'rules', assignments: 'assignments' } as const

/**
 * Creates the policy in a file, or updates the existing policy of that name to match the file; idempotent. A list that
 * is missing in the file is left unchanged.
 */
export async function applyPolicy(terminal: Terminal, { data: file }: { data: string }): Promise<void> {
  const stated = fromFile(file)
  const { name } = stated
  if (typeof name !== 'string')
    throw new WrongUsage(`${file} should contain the name of the policy, for example name: auditors`)
  const found = await policyNamed(terminal, name)
  const policy = found
    ? await changed(terminal, found, stated)
    : await terminal.sluice.create<Policy['attributes']>(collection, stated)
  const isSame = found?.attributes.updated_at === policy.attributes.updated_at
  const what = !found ? 'Created' : isSame ? 'No changes to' : 'Updated'
  terminal.say(plainLine(`${what} ${name}`))
  terminal.write(recordText(kindNamed('authorisation_policy'), policy as never, terminal))
}

/** Finds a policy by name, which the service stores in Unicode normalization form C. */
async function policyNamed({ sluice }: Terminal, name: string): Promise<Policy | undefined> {
  const [found] = await sluice.list<Policy['attributes']>(collection, { 'filter[name_eq]': name.normalize('NFC') })
  return found
}

/** Updates a policy by several requests; if one fails, reports what was updated before it. */
async function changed(terminal: Terminal, { id }: Policy, stated: Record<string, unknown>): Promise<Policy> {
  const { sluice } = terminal
  const { name, authorisation_rules: _, assignments: __, ...own } = stated
  const done: string[] = []
  const part = async (what: string, write: () => Promise<unknown>) => {
    await write().catch(error => {
      if (done.length > 0) terminal.say(plainLine(`Updated ${done.join(' and ')} of ${name}; updating ${what} failed.`))
      throw error
    })
    done.push(what)
  }
  const names = Object.keys(own)
  if (names.length > 0) await part(names.join(' and '), () => sluice.update(`${collection}/${id}`, own))
  for (const [attribute, place] of Object.entries(lists))
    if (stated[attribute] !== undefined)
      await part(place, () => sluice.put(`${collection}/${id}/${place}`, { [attribute]: stated[attribute] }))
  return sluice.show(`${collection}/${id}`)
}
