import { type ReactNode, useEffect } from 'react'
import { general } from '../../messages/general.ts'
import { CommandButton } from '../command/command-button.tsx'
import styles from './page.module.css'

interface PageProps {
  /** Heading of the page. */
  readonly title: ReactNode
  /** Title of the browser's tab, without the product's name. */
  readonly documentTitle: string
  readonly subtitle?: ReactNode
  /** Breadcrumbs above the heading. */
  readonly above?: ReactNode
  readonly actions?: ReactNode
  /** Commands that show on the command line what the page shows. */
  readonly commands: readonly string[]
  /** The page is at most as high as the window, and its last child scrolls; with `stretch`, its only child fills it. */
  readonly fill?: boolean | 'stretch'
  readonly children: ReactNode
}

/** Frame of a page: heading, actions, content. */
export function Page({ title, documentTitle, subtitle, above, actions, commands, fill = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${documentTitle} · ${general.product}`
  }, [documentTitle])
  return (
    <div className={`${styles['page']} ${fill === 'stretch' ? styles['stretch'] : fill ? styles['fill'] : ''}`}>
      <header className={styles['header']}>
        <div className={styles['heading']}>
          {above}
          <div className={styles['title']}>{typeof title === 'string' ? <h1>{title}</h1> : title}</div>
          {subtitle !== undefined && <div className={styles['subtitle']}>{subtitle}</div>}
        </div>
        {(actions !== undefined || commands.length > 0) && (
          <div className={styles['actions']}>
            {commands.length > 0 && <CommandButton commands={commands} />}
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}

interface PanelProps {
  readonly title?: ReactNode
  readonly actions?: ReactNode
  /** Without padding, for tables and editors. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** Bordered part of a page with a heading of its own. */
export function Panel({ title, actions, flush = false, children }: PanelProps) {
  return (
    <section className={styles['panel']}>
      {(title !== undefined || actions !== undefined) && (
        <header className={styles['panelHeader']}>
          {typeof title === 'string' ? <h2>{title}</h2> : title}
          {actions}
        </header>
      )}
      <div className={`${styles['panelBody']} ${flush ? styles['flush'] : ''}`}>{children}</div>
    </section>
  )
}
