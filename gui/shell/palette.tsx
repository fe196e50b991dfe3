import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { shell } from '../messages/shell.ts'
import { PaletteDialog } from './palette-dialog.tsx'
import { usePaletteSections } from './palette-entries.ts'

/** Palette to jump to a page by its name, or to any record by a text in its name, path, id or metadata. */
export default function Palette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const router = useRouter()
  const [text, setText] = useState('')
  const { sections, error } = usePaletteSections(text.trim(), onKeys)
  return (
    <PaletteDialog
      title={shell.search}
      text={text}
      onText={setText}
      sections={sections}
      error={error}
      onChoose={({ act, to }) => {
        onClose()
        if (act) act()
        else router.history.push(to)
      }}
      onClose={onClose}
    />
  )
}
