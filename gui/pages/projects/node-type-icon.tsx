import { Bot, Box, Folder, Layers, type LucideIcon } from 'lucide-react'
import { projects as texts } from '../../messages/projects.ts'
import type { NodeType } from './node.ts'

const icons: Readonly<Record<NodeType, LucideIcon>> = { project: Folder, environment: Layers, asset: Box, agent: Bot }

/** Icon of a type of node, with its word for screen readers. */
export function NodeTypeIcon({ type, size = 16 }: { type: NodeType; size?: number }) {
  const Icon = icons[type]
  return <Icon size={size} role="img" aria-label={texts.types[type]} />
}
