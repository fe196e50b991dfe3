import { general } from '../../messages/general.ts'
import { useToast } from '../toast/toast.tsx'

/** Function that copies a text, once it is there, and says that it did or why it could not. */
export function useCopy(): (text: string | Promise<string>, done?: string) => Promise<void> {
  const toast = useToast()
  return (text, done = general.copied) =>
    Promise.resolve(text)
      .then(copyText)
      .then(
        () => toast.done(done),
        (error: Error) => toast.failed(error),
      )
}

/** @throws if the browser refuses: only pages over HTTPS or on localhost may write to the clipboard. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch (error) {
    throw new Error(general.copyFailed, { cause: error })
  }
}
