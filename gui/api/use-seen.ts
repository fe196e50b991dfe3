import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Records } from '#client/generated/api.ts'
import { recordKey } from './keys.ts'
import { isStatus } from './query-client.ts'
import { readVersioned, useVersioned, type Versioned } from './versioned.ts'

/** Record that a dialog shows before it is changed. */
export interface Seen<Attributes> {
  /** The record as it is shown; undefined until it is read. */
  readonly seen: Versioned<Attributes> | undefined
  readonly read: UseQueryResult<Versioned<Attributes>>
  /** Whether somebody else has changed what was shown: nothing is written, and the record is shown as it is now. */
  readonly hasChanged: boolean
  /**
   * Writes over the record as it is shown, with `send`; resolves to whether that was done.
   *
   * @throws Refused and Unreachable, apart from a record that has changed
   */
  readonly save: (send: (over: Versioned<Attributes>) => Promise<unknown>) => Promise<boolean>
}

/** Writes over a record that is changed all the time, by background work say, before they are given up. */
const attempts = 3

/**
 * Reads a record with its ETag for a dialog, and writes only over what the dialog shows. A record that has changed in
 * other things is written all the same.
 *
 * @param isSame whether both states of the record look alike in the dialog
 */
export function useSeen<Type extends keyof Records>(
  path: string,
  isSame: (now: Records[Type], before: Records[Type]) => boolean,
): Seen<Records[Type]> {
  const read = useVersioned<Type>(path)
  const cache = useQueryClient()
  const [seen, setSeen] = useState<Versioned<Records[Type]>>()
  const [hasChanged, setHasChanged] = useState(false)
  if (!seen && read.data && !read.isFetching) setSeen(read.data)

  const save: Seen<Records[Type]>['save'] = async send => {
    let over = seen ?? (await readVersioned<Records[Type]>(path))
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send(over)
        return true
      } catch (error) {
        if (!isStatus(error, 412) || attempt === attempts) throw error
        const now = await readVersioned<Records[Type]>(path)
        if (!isSame(now.record.attributes, over.record.attributes)) {
          setSeen(now)
          setHasChanged(true)
          void cache.invalidateQueries({ queryKey: recordKey(path) })
          return false
        }
        over = now
      }
    }
  }
  return { seen, read, hasChanged, save }
}
