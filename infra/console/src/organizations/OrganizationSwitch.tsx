import { Link } from '../app/navigation.tsx'
import type { Organization } from '../app/types.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Icon } from '../ui/Icon.tsx'

interface OrganizationSwitchProps {
  readonly organization: Organization
  readonly onNavigate: () => void
}

/** The current organization, with a menu to switch to another. */
export function OrganizationSwitch({ organization, onNavigate }: OrganizationSwitchProps) {
  const { organizations } = useTexts()
  return (
    <Link className="organization-switch" to={{ page: 'organizations' }} onNavigate={onNavigate}>
      <Avatar name={organization.name} />
      <span className="person-text">
        <span>{organization.name}</span>
        <span className="muted small">{organizations.roles[organization.role]}</span>
      </span>
      <span className="visually-hidden">{organizations.switch}</span>
      <Icon name="switch" />
    </Link>
  )
}
