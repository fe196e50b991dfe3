import { Bookmark, BookmarkPlus, Pencil, Trash2, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { savedViews as texts } from '../../messages/saved-views.ts'
import { Button } from '../button/button.tsx'
import { Tag } from '../chip/chip.tsx'
import { LazyMenu } from '../menu/lazy-menu.tsx'
import type { MenuItem } from '../menu/menu.tsx'
import { useToast } from '../toast/toast.tsx'
import styles from './saved-views.module.css'
import { mayChange, useSavedViews, useSaveView, type ViewRecord } from './use-saved-views.ts'
import { isSameState, queryOf, stateOf, type ViewState } from './view-state.ts'

const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.tsx')).ViewDialog }))
const RemoveView = lazy(async () => ({ default: (await import('./remove-view.tsx')).RemoveView }))

interface SavedViewsProps {
  /** List of the API that the views are for: `activities`. */
  readonly list: string
  /** Filters, sorting and columns in force. */
  readonly state: ViewState
  /** Reads what of a state the page knows. */
  readonly read: (state: ViewState) => ViewState
  /** Id of the view that was chosen; the address holds it beside the state itself. */
  readonly saved: string | undefined
  readonly onOpen: (state: ViewState, saved: string | undefined) => void
}

/**
 * Menu of the saved views of a list: choose one, save, rename, share and delete. The address has the state itself, so
 * that a link shows the same to somebody who may not see the view.
 */
export function SavedViews({ list, state, read, saved, onOpen }: SavedViewsProps) {
  const { own, shared } = useSavedViews(list)
  const [open, setOpen] = useState<'create' | 'edit' | 'remove'>()
  const toast = useToast()
  const close = () => setOpen(undefined)
  const view = [...own, ...shared].find(({ id }) => id === saved)
  const isChanged = view !== undefined && !isSameState(state, stateOfView(view))
  const saveChanges = useSaveView({
    onDone: ({ attributes }) => toast.done(texts.savedChanges(attributes.name)),
    onError: toast.failed,
  })
  function stateOfView({ attributes }: ViewRecord): ViewState {
    return read(stateOf(attributes.query))
  }
  const itemOf = (each: ViewRecord): MenuItem => ({
    text: (
      <>
        {each.attributes.name}{' '}
        {shared.includes(each) && <span className={styles['by']}>{texts.by(each.attributes.created_by)}</span>}
      </>
    ),
    isCurrent: each === view,
    onSelect: () => onOpen(stateOfView(each), each.id),
  })

  return (
    <div className={styles['views']}>
      {view && isChanged && mayChange(view) && (
        <Button
          variant="primary"
          busy={saveChanges.isPending}
          onClick={() => saveChanges.mutate({ view, attributes: { query: queryOf(state) } })}
        >
          {texts.saveChanges}
        </Button>
      )}
      <LazyMenu
        trigger={
          <Button>
            <Bookmark size={16} aria-hidden />
            {view && <span className="visually-hidden">{texts.view}</span>}
            <span className={styles['name']}>{view ? view.attributes.name : texts.views}</span>
            {isChanged && <Tag>{texts.changed}</Tag>}
          </Button>
        }
        sections={[
          { title: texts.own, items: own.map(itemOf) },
          { title: texts.shared, items: shared.map(itemOf) },
          { items: actionsFor(view, isChanged) },
        ]}
      />
      <Suspense>
        {open === 'create' && (
          <ViewDialog
            list={list}
            query={queryOf(state)}
            onClose={close}
            onDone={made => {
              close()
              toast.done(texts.created(made.attributes.name))
              onOpen(state, made.id)
            }}
          />
        )}
        {open === 'edit' && view && (
          <ViewDialog
            view={view}
            list={list}
            query={view.attributes.query}
            onClose={close}
            onDone={({ attributes }) => {
              close()
              toast.done(texts.edited(attributes.name))
            }}
          />
        )}
        {open === 'remove' && view && (
          <RemoveView view={view} onClose={close} onRemoved={() => onOpen(state, undefined)} />
        )}
      </Suspense>
    </div>
  )

  function actionsFor(current: ViewRecord | undefined, changed: boolean): MenuItem[] {
    const create = {
      text: texts.saveAs,
      icon: <BookmarkPlus size={16} aria-hidden />,
      onSelect: () => setOpen('create'),
    }
    if (!current) return [create]
    const disabledReason = mayChange(current) ? undefined : texts.notOwner(current.attributes.created_by)
    const reset = {
      text: texts.reset,
      icon: <Undo2 size={16} aria-hidden />,
      onSelect: () => onOpen(stateOfView(current), current.id),
    }
    return [
      ...(changed ? [reset] : []),
      create,
      { text: texts.edit, icon: <Pencil size={16} aria-hidden />, disabledReason, onSelect: () => setOpen('edit') },
      { text: texts.remove, icon: <Trash2 size={16} aria-hidden />, disabledReason, onSelect: () => setOpen('remove') },
    ]
  }
}
