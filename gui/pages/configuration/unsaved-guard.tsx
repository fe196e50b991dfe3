import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import { readConfigurationSearch } from './search.ts'

/** Asks before unsaved changes are left: by a link, by Back, or by closing the window. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && placeOf(current) !== placeOf(next),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Confirm
      open
      onClose={blocker.reset}
      title={texts.leaveTitle}
      description={texts.leaveDetail}
      action={texts.leave}
      danger
      onConfirm={blocker.proceed}
    />
  )
}

/** Editor that an address shows; other parameters do not replace it. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  const { view, at } = readConfigurationSearch({ ...search })
  return JSON.stringify([pathname, 'tab' in search && search.tab, view, at])
}
