import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useList } from '../../api/queries.ts'
import type { Resource, Template } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { listCommand } from '../../components/command/list-command.ts'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { Page } from '../../components/page/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { aboveRowLink, type Column, rowLink, Table } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { TemplateDialog } from './template-dialog.tsx'
import { templatePlace } from './template-path.ts'
import styles from './templates-page.module.css'

/** Templates of all projects that the user may read. */
export function TemplatesPage() {
  const { q, new: isNew } = useSearch({ from: '/templates' })
  const navigate = useNavigate({ from: '/templates' })
  const parameters = {
    limit: 100,
    'filter[sorts]': 'name',
    ...(q !== undefined && { 'filter[m]': 'or', 'filter[name_cont]': q, 'filter[code_cont]': q }),
  }
  const { records, query } = useList<'template'>('/api/templates', parameters)
  const [text, setText] = useDebounced(
    q ?? '',
    value => void navigate({ search: { q: value || undefined }, replace: true }),
  )
  const setOpen = (open: boolean) => void navigate({ search: before => ({ ...before, new: open || undefined }) })
  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      fill
      commands={[listCommand('templates', parameters)]}
      actions={
        <Button variant="primary" onClick={() => setOpen(true)}>
          <Plus size={16} aria-hidden />
          {texts.create}
        </Button>
      }
    >
      <div className={styles['content']}>
        <div className={styles['filter']}>
          <SearchField label={texts.filter} value={text} onChange={setText} />
        </div>
        {query.isPending ? (
          <Skeleton rows={8} />
        ) : query.isError && records.length === 0 ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : records.length > 0 ? (
          <Table
            label={texts.title}
            columns={columns}
            rows={records}
            keyOf={({ id }) => id}
            hasMore={query.hasNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        ) : q === undefined ? (
          <EmptyState title={texts.empty} command={texts.emptyCommand}>
            {texts.emptyDetail}
          </EmptyState>
        ) : (
          <EmptyState title={texts.nothingMatches} />
        )}
      </div>
      {isNew && <TemplateDialog onClose={() => setOpen(false)} />}
    </Page>
  )
}

const columns: readonly Column<Resource<Template>>[] = [
  {
    id: 'name',
    title: texts.columns.name,
    width: 'minmax(180px, 1.5fr)',
    narrow: 'minmax(0, 1fr)',
    cell: template => (
      <span className={styles['name']}>
        <Link to="/templates/$project/$code" params={templatePlace(template)} className={rowLink}>
          {template.attributes.name}
        </Link>
        <code className={styles['soft']}>{template.attributes.code}</code>
        {template.attributes.archived && <Tag>{texts.archived}</Tag>}
        {template.attributes.disabled && <Tag>{texts.disabled}</Tag>}
      </span>
    ),
  },
  {
    id: 'project',
    title: texts.columns.project,
    width: 'minmax(120px, 1fr)',
    narrow: 'minmax(0, 0.6fr)',
    cell: template => {
      const { project } = templatePlace(template)
      return (
        <Link to="/projects/$" params={{ _splat: project }} className={aboveRowLink}>
          {project}
        </Link>
      )
    },
  },
  {
    id: 'type',
    title: texts.columns.type,
    width: '100px',
    cell: ({ attributes }) => texts.types[attributes.template_type],
  },
  {
    id: 'updated',
    title: texts.columns.updated,
    width: '140px',
    cell: ({ attributes }) => <Time at={attributes.updated_at} />,
  },
]
