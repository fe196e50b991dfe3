import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { general } from '../../messages/general.ts'
import styles from './node-path.module.css'
import { nodesInPath } from './nodes-in-path.ts'

interface NodePathProps {
  readonly path: string | null | undefined
  readonly links?: boolean
  readonly line?: boolean
}

/** Path of a node as `bank / live / front`; with `links`, each part leads to its node; with `line`, it never wraps. */
export function NodePath({ path, links = false, line = false }: NodePathProps) {
  if (!path) return <span>{general.none}</span>
  return (
    <span className={`${styles['path']} ${styles['mono']} ${line ? styles['line'] : ''}`} title={path}>
      {nodesInPath(path).map(({ code, splat }, i) => (
        <Fragment key={splat}>
          {i > 0 && <span className={styles['separator']}>/</span>}
          {links ? (
            <Link to="/projects/$" params={{ _splat: splat }}>
              {code}
            </Link>
          ) : (
            <span>{code}</span>
          )}
        </Fragment>
      ))}
    </span>
  )
}
