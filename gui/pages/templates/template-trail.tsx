import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { templates as texts } from '../../messages/templates.ts'
import styles from './templates-page.module.css'

interface TemplateTrailProps {
  /** Code of the project. */
  readonly project: string
  /** The last part: the code of the template, or a link to it. */
  readonly children: ReactNode
}

/** Line above the heading of a template or one of its versions, with what they belong to. */
export const TemplateTrail = ({ project, children }: TemplateTrailProps) => (
  <span className={styles['soft']}>
    <Link to="/templates">{texts.title}</Link> /{' '}
    <Link to="/projects/$" params={{ _splat: project }}>
      {project}
    </Link>{' '}
    / {children}
  </span>
)
