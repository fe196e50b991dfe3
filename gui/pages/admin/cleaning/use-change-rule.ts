import { useQueryClient } from '@tanstack/react-query'
import { type Replaced, write } from '../../../api/client.ts'
import { listKey } from '../../../api/keys.ts'
import { type Rule, rulesPath } from './rule.ts'

/** Function that switches a rule, and reads the list again. Its form is saved by `useEdit`. */
export function useChangeRule(
  rule: Rule,
): (attributes: { readonly enabled: boolean }, replaced: Replaced) => Promise<void> {
  const cache = useQueryClient()
  return async (attributes, replaced) => {
    await write('PATCH', `${rulesPath}/${rule.id}`, { attributes }, replaced)
    await cache.invalidateQueries({ queryKey: listKey(rulesPath) })
  }
}
