import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sluice } from '../../api/client.ts'
import { listKey, recordKey } from '../../api/keys.ts'
import { isStatus } from '../../api/query-client.ts'
import { useToast } from '../../components/toast/toast.tsx'
import { workflowEditor as texts } from '../../messages/workflows.ts'
import { readSource, type Source, writeSource } from './source.ts'

/** Definition that is being edited. */
export interface Definition {
  /** What the service has, as read or saved last. */
  readonly base: Source
  readonly text: string
  readonly setText: (text: string) => void
  readonly isDirty: boolean
  /** Saves the text as draft; resolves to whether it is saved. */
  readonly save: () => Promise<boolean>
  readonly isSaving: boolean
  /** What somebody else has saved since `base` was read; undefined without a conflict. */
  readonly conflict: Source | undefined
  /** Ends the conflict with a text that takes the other's into account, and saves it unless it is the other's. */
  readonly resolve: (text: string) => void
  /** Puts the conflict aside with the text as merged so far; saving asks again. */
  readonly postpone: (text: string) => void
  /** Saves the text if needed and publishes the draft. */
  readonly publish: () => Promise<void>
  readonly isPublishing: boolean
}

/** State of a definition that is being edited: the text, how it is saved and published, and conflicts with others. */
export function useDefinition(path: string, initial: Source): Definition {
  const [base, setBase] = useState(initial)
  const [text, setText] = useState(initial.text)
  const [conflict, setConflict] = useState<Source>()
  const cache = useQueryClient()
  const toast = useToast()
  const refresh = () => {
    for (const key of [recordKey(path), listKey('/api/workflows'), listKey(`${path}/versions`)])
      void cache.invalidateQueries({ queryKey: key })
  }

  /**
   * Shows what is there now instead of an error if that is why a write was refused.
   *
   * @returns what is there, if it is the same text; undefined if there is a conflict
   */
  const noteConflict = async (from: Source, content: string, error: unknown): Promise<Source | undefined> => {
    if (!isStatus(error, 409, 412)) throw error
    const now = await readSource(path)
    if (now.etag === from.etag) throw error
    if (now.text !== content) {
      setConflict(now)
      return undefined
    }
    setBase(now)
    refresh()
    return now
  }

  /** @returns undefined if there is a conflict */
  const write = async (from: Source, content: string): Promise<Source | undefined> => {
    if (content === from.text) return from
    try {
      const saved = await writeSource(path, from, content)
      setBase(saved)
      refresh()
      if (saved.text === content) return saved
      // Somebody else was faster between the write and the read.
      setConflict(saved)
      return undefined
    } catch (error) {
      return noteConflict(from, content, error)
    }
  }

  const publishDraft = async (saved: Source): Promise<void> => {
    const { version, draft } = saved.version.attributes
    // Another user has saved and published the same text.
    if (!draft) return toast.done(texts.publishedMeanwhile(version))
    try {
      await sluice().send('POST', `${path}/versions/${version}/publish`, { ifMatch: saved.etag })
    } catch (error) {
      const now = await noteConflict(saved, saved.text, error)
      if (now?.version.attributes.draft) throw error
      if (now) toast.done(texts.publishedMeanwhile(now.version.attributes.version))
      return
    }
    setBase(await readSource(path))
    refresh()
    toast.done(texts.published(version))
  }

  const save = useMutation({
    mutationFn: ({ from, content }: { from: Source; content: string }) => write(from, content),
    onSuccess: saved => saved && toast.done(texts.savedDraft(saved.version.attributes.version)),
    onError: error => toast.failed(error),
  })
  const publish = useMutation({
    mutationFn: async () => {
      const saved = await write(base, text)
      if (saved) await publishDraft(saved)
    },
    onError: error => toast.failed(error),
  })

  return {
    base,
    text,
    setText,
    isDirty: text !== base.text,
    save: async () => {
      if (save.isPending) return false
      const saved = await save.mutateAsync({ from: base, content: text }).catch(() => undefined)
      return saved !== undefined
    },
    isSaving: save.isPending,
    conflict,
    resolve: merged => {
      if (!conflict) return
      setBase(conflict)
      setText(merged)
      setConflict(undefined)
      if (merged !== conflict.text) save.mutate({ from: conflict, content: merged })
    },
    postpone: merged => {
      setText(merged)
      setConflict(undefined)
    },
    publish: async () => {
      await publish.mutateAsync().catch(() => undefined)
    },
    isPublishing: publish.isPending,
  }
}
