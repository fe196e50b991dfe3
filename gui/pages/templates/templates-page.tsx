import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useList } from '../../api/queries.ts'
import type { Resource, Template } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { useColumns } from '../../components/columns/use-columns.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { FilterRow } from '../../components/filter/filter-row.tsx'
import { ListControls } from '../../components/list/list-controls.tsx'
import { FilterBar, ListFrame, NothingMatches } from '../../components/list/list-frame.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { Page } from '../../components/page/page.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { aboveRowLink, type Column, rowLink } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { templates as texts } from '../../messages/templates.ts'
import { useWhyNotCreate } from '../projects/use-why-not-create.ts'
import { filterWords } from './filter-words.ts'
import { readTemplatesSearch, templatesState } from './search.ts'
import { TemplateDialog } from './template-dialog.tsx'
import { templatePlace } from './template-path.ts'
import styles from './templates-page.module.css'

/** Templates of all projects that the user may read. */
export function TemplatesPage() {
  const search = useSearch({ from: '/templates' })
  const { q, new: isNew } = search
  const navigate = useNavigate({ from: '/templates' })
  const parameters = {
    limit: 100,
    'filter[sorts]': 'name',
    ...(q !== undefined && { 'filter[m]': 'or', 'filter[name_cont]': q, 'filter[code_cont]': q }),
  }
  const list = useList<'template'>('/api/templates', parameters)
  const [text, setText] = useDebounced(
    q ?? '',
    value => void navigate({ search: before => ({ ...before, q: value || undefined }), replace: true }),
  )
  const columns = useColumns('templates', templateColumns)
  const whyNotCreate = useWhyNotCreate('templates', texts.noProject)
  const setOpen = (open: boolean) => void navigate({ search: before => ({ ...before, new: open || undefined }) })
  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      subtitle={texts.subtitle}
      fill
      commands={[listCommand('templates', parameters)]}
      actions={
        <>
          <ListControls
            list="templates"
            columns={columns}
            state={templatesState(search)}
            read={state => templatesState(readTemplatesSearch(state))}
            saved={search.saved}
            onOpen={(state, saved) => void navigate({ search: { ...readTemplatesSearch({ ...state, saved }) } })}
          />
          <Button variant="primary" disabledReason={whyNotCreate} onClick={() => setOpen(true)}>
            <Plus size={16} aria-hidden />
            {texts.create}
          </Button>
        </>
      }
    >
      <ListFrame
        filters={
          <FilterBar>
            <SearchField label={texts.filter} value={text} onChange={setText} />
          </FilterBar>
        }
        row={
          <FilterRow
            list={list}
            path="/api/templates"
            query={parameters}
            noun={texts.noun}
            search={search}
            words={filterWords}
            onChange={() => setText('')}
            onClear={() => setText('')}
          />
        }
      >
        <ListTable
          list={list}
          label={texts.title}
          columns={columns}
          empty={
            q === undefined ? (
              <EmptyState title={texts.empty} command={texts.emptyCommand}>
                {texts.emptyDetail}
              </EmptyState>
            ) : (
              <NothingMatches title={texts.nothingMatches} clear={texts.clearFilter} onClear={() => setText('')} />
            )
          }
        />
      </ListFrame>
      {isNew && <TemplateDialog onClose={() => setOpen(false)} />}
    </Page>
  )
}

const templateColumns: readonly Column<Resource<Template>>[] = [
  {
    id: 'name',
    isFixed: true,
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
  {
    id: 'description',
    isExtra: true,
    title: texts.columns.description,
    width: 'minmax(140px, 1.5fr)',
    cell: ({ attributes }) => <span className={styles['soft']}>{attributes.description}</span>,
  },
  {
    id: 'created',
    isExtra: true,
    title: texts.columns.created,
    width: '140px',
    cell: ({ attributes }) => <Time at={attributes.created_at} />,
  },
]
