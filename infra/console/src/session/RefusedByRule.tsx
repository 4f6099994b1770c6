import { isApiError } from '../../../client/src/index.ts'
import { Link } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useAction } from '../ui/useAction.ts'
import { nothing, useStepUp } from './useStepUp.ts'

interface RefusedByRuleProps {
  readonly organizationId: string
  readonly error: unknown
  /** Reads the organization again. */
  readonly onMended: () => Promise<void>
}

/** What a member does whose sign-in breaks a rule of the organization: sign in again or at the company's provider, or add a second factor first. */
export function RefusedByRule({ organizationId, error, onMended }: RefusedByRuleProps) {
  const { client } = useServices()
  const { signInAgain, signOn, addFactor } = useTexts().app.refused
  const stepUp = useStepUp(`enter ${organizationId}`, nothing)
  const action = useAction()

  async function enter(): Promise<void> {
    await stepUp.run(true, () => client.getOrganization({ path: { organization_id: organizationId } }))
    await onMended()
  }

  const lacksFactor = isApiError(error, 'second_factor_required')
  const needsSignOn = isApiError(error) && error.stepUp?.acr_values?.includes('sso:')
  const texts = lacksFactor ? addFactor : needsSignOn ? signOn : signInAgain
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <div className="stack narrow">
        <ErrorNotice error={action.error} />
        <div className="form-actions">
          {lacksFactor && (
            <Link className="button primary" to={{ page: 'security' }}>
              {addFactor.link}
            </Link>
          )}
          <Button
            kind={lacksFactor ? 'plain' : 'primary'}
            running={action.running}
            onClick={() => void action.run(enter)}
          >
            {texts.button}
          </Button>
        </div>
      </div>
    </>
  )
}
