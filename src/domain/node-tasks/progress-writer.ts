/** Stores git's progress output at intervals, in order: git repaints its lines many times a second. */
export function progressWriter(store: (text: string) => Promise<void>) {
  let waiting = ''
  let busy: Promise<void> | undefined
  const flush = (): Promise<void> => {
    busy ??= (async () => {
      while (waiting !== '') {
        const text = waiting
        waiting = ''
        await store(text)
      }
      busy = undefined
    })()
    return busy
  }
  let failed: unknown
  return {
    write: (text: string) => {
      waiting += text
      flush().catch(error => {
        failed ??= error
      })
    },
    end: async () => {
      await flush()
      if (failed) throw failed
    },
  }
}
