import { ApprovalProgress } from '../../components/decision/approval-progress.tsx'
import { ArgumentInput } from '../../components/decision/argument-input.tsx'
import { DecisionButtons } from '../../components/decision/decision-buttons.tsx'
import { DecisionScope } from '../../components/decision/decision-scope.tsx'
import { argumentFields } from '../../components/decision/input-arguments.ts'
import { inputArguments, waitingStep } from '../samples.ts'
import { Specimen } from '../specimen.tsx'

const fields = argumentFields(inputArguments)
const onlyContinue = { ...waitingStep, id: 'only-continue', meta: { can: ['continue'] } }

export function DecisionPage() {
  return (
    <>
      <Specimen title="Approvals: none, some and all of those required">
        <ApprovalProgress
          step={{ requires_approval_from: [{ user_names: ['bob'], required_approvals: 1 }], approved_by: [] }}
        />
        <ApprovalProgress step={waitingStep.attributes} />
        <ApprovalProgress
          step={{
            requires_approval_from: [{ ldap_groups: ['release-managers'], required_approvals: 1 }],
            approved_by: [{ username: 'carol', at: '2026-11-27T09:58:00Z', rules: [0] }],
          }}
        />
      </Specimen>
      <Specimen title="Decisions" row>
        <DecisionScope>
          <DecisionButtons type="step" step={waitingStep} />
          <DecisionButtons type="step" step={onlyContinue} />
          <DecisionButtons type="step" step={waitingStep} size="small" />
        </DecisionScope>
      </Specimen>
      <Specimen title="Arguments of an input step">
        {fields.slice(0, 3).map(field => (
          <ArgumentInput key={field.key} field={field} value={field.initial} onChange={() => {}} error={undefined} />
        ))}
      </Specimen>
      <Specimen title="Arguments that are secret, in parts, or wrong">
        {fields.slice(3).map(field => (
          <ArgumentInput
            key={field.key}
            field={field}
            value={field.argument.type === 'integer' ? 'twelve' : field.initial}
            onChange={() => {}}
            error={field.argument.type === 'integer' ? '"twelve" is not a whole number.' : undefined}
          />
        ))}
      </Specimen>
    </>
  )
}
