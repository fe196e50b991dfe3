import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useMe } from '../../api/session.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, Skeleton } from '../../components/state/state.tsx'
import { admin as texts } from '../../messages/admin.ts'
import { general } from '../../messages/general.ts'
import { mayRead } from '../../shell/rights.ts'
import styles from './admin-page.module.css'
import { type Part, parts } from './parts.ts'
import { readAdminSearch } from './search.ts'

/** Administration: the parts that the user may read, and one of them. */
export function AdminPage() {
  const { part: id } = useParams({ strict: false })
  const me = useMe()
  const search = readAdminSearch(useSearch({ strict: false }))
  const permitted = parts.filter(({ path }) => mayRead(me, path))
  const [first] = permitted
  if (id === undefined && first) return <Navigate to="/admin/$part" params={{ part: first.id }} replace />
  const part = parts.find(each => each.id === id)
  if (id !== undefined && !part)
    return (
      <Message permitted={permitted} title={general.notFound}>
        {general.notFoundDetail}
      </Message>
    )
  if (!part || !permitted.includes(part))
    return (
      <Message permitted={permitted} title={general.forbidden}>
        {general.needsRight('read', part?.path ?? '/admin')}
      </Message>
    )
  const [title, detail] = texts.parts[part.id]
  const Content = part.component
  return (
    <Frame permitted={permitted} current={part}>
      <Page
        title={title}
        documentTitle={`${title} · ${texts.title}`}
        subtitle={detail}
        commands={part.commands(search)}
        above={<span className={styles['above']}>{texts.title}</span>}
      >
        <Suspense fallback={<Skeleton />}>
          <Content />
        </Suspense>
      </Page>
    </Frame>
  )
}

interface FrameProps {
  readonly permitted: readonly Part[]
  readonly current?: Part
  readonly children: ReactNode
}

/** Links to the parts beside the content; above it in narrow windows. */
function Frame({ permitted, current, children }: FrameProps) {
  const nav = useRef<HTMLElement>(null)
  // In narrow windows the links scroll sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part is the reason, not an input.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div className={styles['frame']}>
      <nav ref={nav} className={styles['parts']} aria-label={texts.navigation}>
        {permitted.map(({ id, icon: Icon }) => (
          <Link
            key={id}
            to="/admin/$part"
            params={{ part: id }}
            search={{}}
            aria-current={current?.id === id ? 'page' : undefined}
          >
            <Icon size={16} aria-hidden />
            {texts.parts[id][0]}
          </Link>
        ))}
      </nav>
      <div className={styles['content']}>{children}</div>
    </div>
  )
}

interface MessageProps {
  readonly permitted: readonly Part[]
  readonly title: string
  readonly children: string
}

/** Page that says why a part is not shown, with the parts that the user may read. */
function Message({ permitted, title, children }: MessageProps) {
  const content = (
    <Page title={texts.title} documentTitle={texts.title} commands={[]}>
      <EmptyState title={title}>{children}</EmptyState>
    </Page>
  )
  return permitted.length === 0 ? content : <Frame permitted={permitted}>{content}</Frame>
}
