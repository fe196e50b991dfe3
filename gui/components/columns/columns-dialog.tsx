import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { actOf, pressedKey } from '../../keyboard/keys.ts'
import { columns as texts } from '../../messages/columns.ts'
import { general } from '../../messages/general.ts'
import { Button, IconButton } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Checkbox } from '../field/field.tsx'
import { type ChoosableColumn, defaultColumns, moved } from './column-choice.ts'
import styles from './columns-dialog.module.css'

interface NamedColumn extends ChoosableColumn {
  readonly name: string
}

interface ColumnsDialogProps {
  readonly all: readonly NamedColumn[]
  readonly shown: readonly string[]
  readonly onChoose: (ids: readonly string[]) => void
  readonly onClose: () => void
}

/** Choice of the columns of a table and of their order; by keyboard, Alt and the arrows move the column. */
export function ColumnsDialog({ all, shown, onChoose, onClose }: ColumnsDialogProps) {
  const [order, setOrder] = useState<readonly NamedColumn[]>(() => orderOf(all, shown))
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set(shown))
  const [news, setNews] = useState('')
  const list = useRef<HTMLUListElement>(null)
  // The element that moved, which loses the focus when its row changes its place.
  const focused = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new order is the reason.
  useLayoutEffect(() => {
    if (focused.current !== undefined) list.current?.querySelector<HTMLElement>(focused.current)?.focus()
    focused.current = undefined
  }, [order])

  const move = (index: number, by: number, control: string) => {
    const { id, name } = order[index]!
    const after = moved(order, index, by)
    focused.current = `[data-column="${id}"] ${control}`
    setOrder(after)
    setNews(texts.place(name, after.findIndex(each => each.id === id) + 1, after.length))
  }
  const check = (id: string, isChecked: boolean) =>
    setChecked(new Set(isChecked ? [...checked, id] : [...checked].filter(each => each !== id)))
  const reset = () => {
    const usual = defaultColumns(all).map(({ id }) => id)
    setOrder(orderOf(all, usual))
    setChecked(new Set(usual))
    setNews(texts.isDefault)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.title}
      description={texts.detail}
      footer={
        <>
          <Button variant="quiet" className={styles['reset']} onClick={reset}>
            {texts.reset}
          </Button>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button
            variant="primary"
            onClick={() => {
              onChoose(order.filter(({ id }) => checked.has(id)).map(({ id }) => id))
              onClose()
            }}
          >
            {texts.apply}
          </Button>
        </>
      }
    >
      <ul ref={list} className={styles['list']} data-keys="columns">
        {order.map(({ id, name, isFixed }, i) => (
          <li
            key={id}
            className={styles['column']}
            data-column={id}
            onKeyDown={event => {
              const by = stepOf(event)
              if (by === undefined) return
              event.preventDefault()
              move(i, by, ':is(input, button)')
            }}
          >
            <span className={styles['name']}>
              {isFixed ? (
                <span className={styles['fixed']}>
                  {name} <small>{texts.fixed}</small>
                </span>
              ) : (
                <Checkbox label={name} checked={checked.has(id)} onChange={isChecked => check(id, isChecked)} />
              )}
            </span>
            <IconButton
              label={texts.up(name)}
              variant="quiet"
              size="small"
              disabledReason={i === 0 ? texts.isFirst : undefined}
              onClick={() => move(i, -1, 'button:nth-last-of-type(2)')}
            >
              <ArrowUp size={15} aria-hidden />
            </IconButton>
            <IconButton
              label={texts.down(name)}
              variant="quiet"
              size="small"
              disabledReason={i === order.length - 1 ? texts.isLast : undefined}
              onClick={() => move(i, 1, 'button:nth-last-of-type(1)')}
            >
              <ArrowDown size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {news}
      </p>
    </Dialog>
  )
}

/** Shown columns in their order, then the others. */
const orderOf = (all: readonly NamedColumn[], shown: readonly string[]): NamedColumn[] => [
  ...shown.flatMap(id => all.find(column => column.id === id) ?? []),
  ...all.filter(({ id }) => !shown.includes(id)),
]

function stepOf(event: KeyboardEvent): number | undefined {
  const act = actOf('columns', pressedKey(event))
  return act && (act === 'up' ? -1 : 1)
}
