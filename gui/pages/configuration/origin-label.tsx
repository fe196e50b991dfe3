import { Link } from '@tanstack/react-router'
import {
  Bot,
  Box,
  CircleDot,
  FileCode,
  Folder,
  Globe,
  Layers,
  type LucideIcon,
  Package,
  Play,
  Tag,
  Terminal,
} from 'lucide-react'
import { aboveRowLink } from '../../components/table/table.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'
import type { Origin, OriginKind } from './origin.ts'

const icons: Readonly<Record<OriginKind, LucideIcon>> = {
  repository: FileCode,
  project: Folder,
  environment: Layers,
  template: Package,
  template_version: Tag,
  asset: Box,
  agent: Bot,
  change: Play,
  global: Globe,
  default: CircleDot,
  environment_variable: Terminal,
  unknown: CircleDot,
}

/** Layer that a value comes from: icon of its kind, name with a link to its node, version. */
export function OriginLabel({ origin, search }: { origin: Origin; search?: Record<string, unknown> }) {
  const { kind, name, version, path } = origin
  const Icon = icons[kind]
  const word = texts.origins[kind]
  return (
    <span className={styles['origin']} title={name === '' ? word : `${word}: ${name}`}>
      <Icon size={14} role="img" aria-label={word} />
      {path === undefined ? (
        <span className={styles['originName']}>{name || word}</span>
      ) : (
        <Link
          to="/projects/$"
          params={{ _splat: path.replace(/^\/projects\//, '') }}
          search={search as never}
          className={`${styles['originName']} ${aboveRowLink}`}
        >
          {name}
        </Link>
      )}
      {version !== undefined && <span className={styles['version']}>{texts.version(version)}</span>}
    </span>
  )
}
