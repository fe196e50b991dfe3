import { useQueryClient } from '@tanstack/react-query'
import { sluice } from '../../../api/client.ts'
import { listKey } from '../../../api/keys.ts'
import { type Rule, rulesPath } from './rule.ts'

/** Function that updates a rule, or creates one, and reads the list again. */
export function useChangeRule(rule?: Rule): (attributes: object) => Promise<Rule> {
  const cache = useQueryClient()
  return async attributes => {
    const changed = rule
      ? await sluice().update<Rule['attributes']>(`${rulesPath}/${rule.id}`, attributes)
      : await sluice().create<Rule['attributes']>(rulesPath, attributes)
    await cache.invalidateQueries({ queryKey: listKey(rulesPath) })
    return changed
  }
}
