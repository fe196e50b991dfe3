import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { Dialog } from '../components/dialog/dialog.tsx'
import { SearchField } from '../components/field/field.tsx'
import { shell } from '../messages/shell.ts'
import { navigation } from './navigation.ts'
import styles from './palette.module.css'

/** Palette to jump to a page by its name. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const wanted = text.trim().toLowerCase()
  const found = navigation.filter(each => each.text.toLowerCase().includes(wanted))
  const open = (index: number) => {
    const entry = found[index]
    if (!entry) return
    onClose()
    void navigate({ to: entry.to })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(chosen)
    else if (event.key === 'ArrowDown') setChosen(Math.min(found.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, chosen - 1))
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
        aria-activedescendant={found[chosen] && `${id}-${chosen}`}
        autoFocus
      />
      <div id={id} className={styles['list']} role="listbox" aria-label={shell.search}>
        {found.map(({ to, text: name, icon: Icon, key }, i) => (
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
            {name}
            {key && <small>g {key}</small>}
          </div>
        ))}
      </div>
    </Dialog>
  )
}
