import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { Checkbox } from '../../components/field/field.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { templates } from '../../messages/templates.ts'
import type { AssetGroup } from './assets-by-version.ts'
import styles from './templates-page.module.css'
import { VersionChanges } from './version-changes.tsx'

const texts = templates.assign

interface AssignGroupProps {
  readonly group: AssetGroup
  /** Path of the template. */
  readonly template: string
  /** Version that the assets get. */
  readonly version: string
  /** Paths of the chosen assets, each with the version that it was shown with. */
  readonly chosen: ReadonlyMap<string, string>
  readonly onChoose: (paths: ReadonlyMap<string, string>, on: boolean) => void
}

/** Assets with one version, to choose from, and what the chosen ones get. */
export function AssignGroup({ group: { from, assets }, template, version, chosen, onChoose }: AssignGroupProps) {
  const title = useId()
  const chosenHere = assets.filter(({ path }) => chosen.has(path)).length
  return (
    <section className={styles['assignGroup']} aria-labelledby={title}>
      <h3 id={title}>{texts.group(from)}</h3>
      <div className={styles['choices']}>
        {assets.length > 1 && (
          <Checkbox
            label={<strong>{texts.allOf(assets.length, from)}</strong>}
            checked={chosenHere === assets.length}
            onChange={on => onChoose(new Map(assets.map(({ path }) => [path, from])), on)}
          />
        )}
        {assets.map(({ id, path }) => (
          <Checkbox
            key={id}
            label={<NodePath path={path} />}
            checked={chosen.has(path)}
            onChange={on => onChoose(new Map([[path, from]]), on)}
          />
        ))}
      </div>
      {chosenHere > 0 && (
        <details className={styles['brings']} open>
          <summary>
            <ChevronRight size={15} aria-hidden />
            {templates.changes.title(from, version)}
          </summary>
          <VersionChanges template={template} since={from} version={version} />
        </details>
      )}
    </section>
  )
}
