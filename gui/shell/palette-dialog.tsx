import { type KeyboardEvent, useId, useState } from 'react'
import { Dialog } from '../components/dialog/dialog.tsx'
import { SearchField } from '../components/field/field.tsx'
import { faultText } from '../components/state/state.tsx'
import { shell } from '../messages/shell.ts'
import styles from './palette.module.css'
import type { Entry, Section } from './palette-sections.ts'

interface PaletteDialogProps {
  readonly title: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly sections: readonly Section[]
  /** Error of the search for the text. */
  readonly error: unknown
  /** What stands below the list in place of "nothing found". */
  readonly note?: string | undefined
  readonly onChoose: (entry: Entry) => void
  readonly onClose: () => void
}

/** Dialog with a field and a list below it, of which one entry is chosen by keys or by a click. */
export function PaletteDialog(props: PaletteDialogProps) {
  const { title, text, onText, sections, error, note, onChoose, onClose } = props
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const entries = sections.flatMap(section => section.entries)

  const open = (index: number) => {
    const entry = entries[index]
    if (entry) onChoose(entry)
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
    <Dialog open onClose={onClose} title={title}>
      <SearchField
        label={title}
        value={text}
        onChange={value => {
          onText(value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={entries[chosen] && `${id}-${chosen}`}
        autoFocus
      />
      <div id={id} className={styles['list']} role="listbox" aria-label={title}>
        {sections.map(({ title: heading, entries: own }) => (
          <div key={heading} className={styles['section']} role="group" aria-label={heading}>
            <p className={styles['title']} aria-hidden>
              {heading}
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
        {note ?? (error ? faultText(error) : entries.length === 0 ? shell.nothingFound : '')}
      </p>
    </Dialog>
  )
}
