import { Download } from 'lucide-react'
import { buttonClass, IconButton } from '../../components/button/button.tsx'
import { LazyMenu } from '../../components/menu/lazy-menu.tsx'
import { log as texts } from '../../messages/log.ts'
import type { LogDownload } from './log-source.ts'

/** Button that downloads a log, or a menu if there are several. */
export function DownloadButton({ downloads }: { downloads: readonly LogDownload[] }) {
  const [first, ...others] = downloads
  if (!first) return null
  if (others.length === 0)
    return (
      <a
        className={buttonClass({ variant: 'quiet', size: 'small' })}
        href={first.href}
        aria-label={texts.download}
        title={texts.download}
        download
      >
        <Download size={16} aria-hidden />
      </a>
    )
  return (
    <LazyMenu
      trigger={
        <IconButton label={texts.download} variant="quiet" size="small">
          <Download size={16} aria-hidden />
        </IconButton>
      }
      items={downloads.map(({ text, href }) => ({
        text,
        icon: <Download size={16} aria-hidden />,
        onSelect: () => download(href),
      }))}
    />
  )
}

/** Downloads a file from an address of the service, as a click on a link does. */
function download(href: string): void {
  const link = Object.assign(document.createElement('a'), { href, download: '' })
  link.click()
}
