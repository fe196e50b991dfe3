import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { Dialog } from '../components/dialog/dialog.tsx'
import { SearchField } from '../components/field/field.tsx'
import { faultText } from '../components/state/state.tsx'
import { shell } from '../messages/shell.ts'
import styles from './palette.module.css'
import { usePaletteSections } from './palette-entries.ts'

/** Palette to jump to a page by its name, or to any record by a text in its name, path, id or metadata. */
export default function Palette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const router = useRouter()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const { sections, error } = usePaletteSections(text.trim(), onKeys)
  const entries = sections.flatMap(section => section.entries)

  const open = (index: number) => {
    const entry = entries[index]
    if (!entry) return
    onClose()
    if (entry.act) entry.act()
    else router.history.push(entry.to)
  }
  const choose = (index: number) => {
    setChosen(index)
    document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(chosen)
    else if (event.key === 'ArrowDown') choose(Math.min(entries.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') choose(Math.max(0, chosen - 1))
    else return
    event.preventDefault()
  }
  return (
    <Dialog open onClose={onClose} title={shell.search}>
      <SearchField
        label={shell.search}
        value={text}
        onChange={value => {
          setText(value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={entries[chosen] && `${id}-${chosen}`}
        autoFocus
      />
      <div id={id} className={styles['list']} role="listbox" aria-label={shell.search}>
        {sections.map(({ title, entries: own }) => (
          <div key={title} className={styles['section']} role="group" aria-label={title}>
            <p className={styles['title']} aria-hidden>
              {title}
            </p>
            {own.map(entry => {
              const i = entries.indexOf(entry)
              const { to, text: name, icon: Icon, detail } = entry
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field opens the chosen one.
                <div
                  key={to}
                  id={`${id}-${i}`}
                  className={styles['item']}
                  role="option"
                  aria-selected={i === chosen}
                  onClick={() => open(i)}
                >
                  <Icon size={16} aria-hidden />
                  <span className={styles['name']}>{name}</span>
                  {detail && <small>{detail}</small>}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <p className={styles['note']} role="status">
        {error ? faultText(error) : entries.length === 0 ? shell.nothingFound : ''}
      </p>
    </Dialog>
  )
}
