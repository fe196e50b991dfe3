import { Columns3 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { columns as texts } from '../../messages/columns.ts'
import { IconButton } from '../button/button.tsx'
import type { ColumnsOf, TitledColumn } from './use-columns.ts'

const ColumnsDialog = lazy(async () => ({ default: (await import('./columns-dialog.tsx')).ColumnsDialog }))

/** Button that opens the choice of columns. */
export function ColumnsButton({ columns }: { columns: ColumnsOf<TitledColumn> }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton label={texts.choose} onClick={() => setIsOpen(true)}>
        <Columns3 size={16} aria-hidden />
      </IconButton>
      {isOpen && (
        <Suspense>
          <ColumnsDialog
            all={columns.all.map(({ id, title, name, isFixed, isExtra }) => ({
              id,
              name: name ?? (typeof title === 'string' ? title : id),
              ...(isFixed && { isFixed }),
              ...(isExtra && { isExtra }),
            }))}
            shown={columns.shown.map(({ id }) => id)}
            onChoose={columns.choose}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
