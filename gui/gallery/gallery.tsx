import { type ComponentType, useSyncExternalStore } from 'react'
import { ToastProvider } from '../components/toast/toast.tsx'
import styles from './gallery.module.css'
import { names } from './names.ts'
import { pages } from './pages.ts'

/**
 * The page that the hash of the address names (`/gallery/#button`), or the list of all pages. Whatever follows a slash in
 * the hash is ignored; a new hash renders the page from the beginning.
 */
export function Gallery() {
  const hash = useSyncExternalStore(listenToHash, () => location.hash.slice(1))
  const name = names.find(each => each === hash.split('/')[0])
  return name === undefined ? <Contents /> : <ComponentPage key={hash} name={name} Page={pages[name]} />
}

function Contents() {
  return (
    <main className={styles['page']}>
      <h1>Component gallery</h1>
      <ul className={styles['contents']}>
        {names.map(name => (
          <li key={name}>
            <a href={`#${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </main>
  )
}

function ComponentPage({ name, Page }: { name: string; Page: ComponentType }) {
  return (
    <ToastProvider>
      <main className={styles['page']} data-page={name}>
        <h1>{name}</h1>
        <div className={styles['specimens']}>
          <Page />
        </div>
      </main>
    </ToastProvider>
  )
}

function listenToHash(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
