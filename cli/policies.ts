import type { Resource } from '../client/sluice.ts'
import { fromFile } from './input.ts'
import { recordText } from './output.ts'
import { plainLine } from './plain-text.ts'
import { kindNamed } from './record-kinds.ts'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

type Policy = Resource<{ updated_at: string; description: string | null }>

const collection = '/api/authorisation_policies'
/** What of a file is a list of its own at the service, and where. */
const lists = { authorisation_rules: 'rules', assignments: 'assignments' } as const

/**
 * Makes the policy that a file states, or gives the one of its name exactly what the file says: run as often as one likes,
 * it is the same. A list that the file does not have stays as it is.
 */
export async function applyPolicy(terminal: Terminal, { data: file }: { data: string }): Promise<void> {
  const stated = fromFile(file)
  const { name } = stated
  if (typeof name !== 'string')
    throw new WrongUsage(`${file} should say which policy it is, by its name: name: auditors`)
  const found = await policyNamed(terminal, name)
  const policy = found
    ? await changed(terminal, found, stated)
    : await terminal.sluice.create<Policy['attributes']>(collection, stated)
  const what = !found ? 'Made' : found.attributes.updated_at === policy.attributes.updated_at ? 'As it was' : 'Changed'
  terminal.say(plainLine(`${what}: ${name}`))
  terminal.write(recordText(kindNamed('authorisation_policy'), policy as never, terminal))
}

/** The service keeps names in one form of Unicode, and finds them by that. */
async function policyNamed({ sluice }: Terminal, name: string): Promise<Policy | undefined> {
  const [found] = await sluice.list<Policy['attributes']>(collection, { 'filter[name_eq]': name.normalize('NFC') })
  return found
}

/** Several requests: where one is refused, what was changed before it is said. */
async function changed(terminal: Terminal, { id }: Policy, stated: Record<string, unknown>): Promise<Policy> {
  const { sluice } = terminal
  const { name, authorisation_rules: _, assignments: __, ...own } = stated
  const done: string[] = []
  const part = async (what: string, write: () => Promise<unknown>) => {
    await write().catch(error => {
      if (done.length > 0)
        terminal.say(plainLine(`${name} has the ${done.join(' and the ')} of the file, and not its ${what}.`))
      throw error
    })
    done.push(what)
  }
  const names = Object.keys(own)
  if (names.length > 0) await part(names.join(' and the '), () => sluice.update(`${collection}/${id}`, own))
  for (const [attribute, place] of Object.entries(lists))
    if (stated[attribute] !== undefined)
      await part(place, () => sluice.put(`${collection}/${id}/${place}`, { [attribute]: stated[attribute] }))
  return sluice.show(`${collection}/${id}`)
}
