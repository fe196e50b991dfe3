import { X } from 'lucide-react'
import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react'
import { general } from '../../messages/general.ts'
import { IconButton } from '../button/button.tsx'
import { faultText } from '../state/state.tsx'
import { StatusIcon } from '../status/status.tsx'
import styles from './toast.module.css'

interface Toast {
  readonly id: number
  readonly text: ReactNode
  readonly isError: boolean
}

interface ShowToast {
  /** Reports that something was done. */
  done(text: ReactNode): void
  /** Reports that a request failed; it stays until it is closed. */
  failed(error: unknown): void
}

const ToastContext = createContext<ShowToast | undefined>(undefined)

export function useToast(): ShowToast {
  const show = use(ToastContext)
  if (!show) throw new Error('useToast needs a ToastProvider')
  return show
}

/** Milliseconds that a success is shown. */
const shown = 5_000

/** Messages about what was done, in a corner; screen readers read them out. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const lastId = useRef(0)
  const close = useCallback((id: number) => setToasts(now => now.filter(each => each.id !== id)), [])
  const add = useCallback(
    (text: ReactNode, isError: boolean) => {
      lastId.current += 1
      const id = lastId.current
      setToasts(now => [...now.slice(-4), { id, text, isError }])
      if (!isError) setTimeout(() => close(id), shown)
    },
    [close],
  )
  const [show] = useState<ShowToast>({
    done: text => add(text, false),
    failed: error => add(faultText(error), true),
  })
  return (
    <ToastContext value={show}>
      {children}
      <div className={styles['viewport']} role="status" aria-live="polite">
        {toasts.map(({ id, text, isError }) => (
          <div key={id} className={`${styles['toast']} ${isError ? styles['error'] : ''}`}>
            <StatusIcon status={isError ? 'error' : 'success'} />
            <span>{text}</span>
            <IconButton label={general.close} variant="quiet" size="small" onClick={() => close(id)}>
              <X size={14} aria-hidden />
            </IconButton>
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
