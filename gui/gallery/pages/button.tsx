import { Ellipsis, Pause, Play, RotateCw, Trash2 } from 'lucide-react'
import { Button, buttonClass, IconButton } from '../../components/button/button.tsx'
import { Specimen } from '../specimen.tsx'

const variants = ['primary', 'plain', 'danger', 'quiet'] as const
const texts = { primary: 'Run now', plain: 'Pause', danger: 'Cancel…', quiet: 'Retry…' } as const
const icons = { primary: Play, plain: Pause, danger: Trash2, quiet: RotateCw } as const
const reason = 'You need the right "execute" on /projects/bank.'

export function ButtonPage() {
  return (
    <>
      <Specimen title="Variants" row>
        {variants.map(variant => (
          <Button key={variant} variant={variant}>
            {texts[variant]}
          </Button>
        ))}
      </Specimen>
      <Specimen title="Small" row>
        {variants.map(variant => (
          <Button key={variant} variant={variant} size="small">
            {texts[variant]}
          </Button>
        ))}
      </Specimen>
      <Specimen title="With an icon" row>
        {variants.map(variant => {
          const Icon = icons[variant]
          return (
            <Button key={variant} variant={variant}>
              <Icon size={15} aria-hidden />
              {texts[variant]}
            </Button>
          )
        })}
      </Specimen>
      <Specimen title="Off, with a reason" row>
        {variants.map(variant => (
          <Button key={variant} variant={variant} disabledReason={reason}>
            {texts[variant]}
          </Button>
        ))}
      </Specimen>
      <Specimen title="Busy" row>
        {variants.map(variant => (
          <Button key={variant} variant={variant} busy>
            {texts[variant]}
          </Button>
        ))}
      </Specimen>
      <Specimen title="An icon alone: normal, small, off" row>
        {variants.map(variant => (
          <IconButton key={variant} label={`More ${variant}`} variant={variant}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        ))}
        <IconButton label="More" size="small">
          <Ellipsis size={14} aria-hidden />
        </IconButton>
        <IconButton label="Delete" variant="danger" disabledReason={reason}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </Specimen>
      <Specimen title="A link as a button" row>
        <a className={buttonClass({ variant: 'primary' })} href="#button">
          Start a run
        </a>
        <a className={buttonClass({})} href="#button">
          Download CSV
        </a>
      </Specimen>
      <Specimen title="A long text" row>
        <Button>Save as version 12 and restart everything that uses it</Button>
      </Specimen>
    </>
  )
}
