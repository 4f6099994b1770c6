import { type ReactNode, useState } from 'react'
import { OrganizationSwitch } from '../organizations/OrganizationSwitch.tsx'
import { maySee } from '../organizations/permissions.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { useAction } from '../ui/useAction.ts'
import { Brand } from './Brand.tsx'
import { addressOf, Link } from './navigation.tsx'
import { type OrganizationPage, organizationPages, type Route } from './route.ts'
import { useServices } from './services.ts'
import type { Organization, User } from './types.ts'

interface ShellProps {
  readonly user: User
  readonly route: Route
  /** Left out outside of organizations, and until it is known. */
  readonly organization?: Organization | undefined
  readonly children: ReactNode
}

/** The pages' entries in the menu. */
const entries = {
  products: { icon: 'box', label: 'Products' },
  cards: { icon: 'card', label: 'Cards' },
  invoices: { icon: 'invoice', label: 'Invoices' },
  details: { icon: 'address', label: 'Billing details' },
  members: { icon: 'people', label: 'Members' },
  'api-clients': { icon: 'key', label: 'API clients' },
  activity: { icon: 'activity', label: 'Activity' },
  settings: { icon: 'settings', label: 'Settings' },
} as const satisfies Record<OrganizationPage, { icon: IconName; label: string }>

/** The frame of every page: menu, organization, account. On a phone the menu opens with a button. */
export function Shell({ user, route, organization, children }: ShellProps) {
  const { session } = useServices()
  const [isOpen, setOpen] = useState(false)
  const signOut = useAction()
  const close = () => setOpen(false)
  return (
    <div className="shell">
      <a className="skip" href={`${addressOf(route)}#content`}>
        Skip to the content
      </a>
      <header className="side">
        <div className="side-top">
          <Link className="brand-link" to={{ page: 'organizations' }} onNavigate={close}>
            <Brand />
          </Link>
          {organization && <span className="side-organization">{organization.name}</span>}
          <button
            type="button"
            className="icon-button menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            aria-label="Menu"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
          </button>
        </div>
        <div className={isOpen ? 'menu open' : 'menu'} id="menu">
          {organization && <OrganizationSwitch organization={organization} onNavigate={close} />}
          {organization && (
            <nav aria-label="Organization">
              {organizationPages
                .filter((page) => maySee(organization.role, page))
                .map((page) => (
                  <Link
                    key={page}
                    className="nav-link"
                    to={{ page, organizationId: organization.id }}
                    current={route.page === page}
                    onNavigate={close}
                  >
                    <Icon name={entries[page].icon} />
                    {entries[page].label}
                  </Link>
                ))}
            </nav>
          )}
          {!('organizationId' in route) && (
            <nav aria-label="Organizations">
              <Link
                className="nav-link"
                to={{ page: 'organizations' }}
                current={route.page === 'organizations'}
                onNavigate={close}
              >
                <Icon name="people" />
                Organizations
              </Link>
            </nav>
          )}
          <nav className="account" aria-label="Account">
            <Link
              className="nav-link person"
              to={{ page: 'profile' }}
              current={route.page === 'profile'}
              onNavigate={close}
            >
              <Avatar name={user.username} />
              <span className="person-text">
                <span>{user.username}</span>
                <span className="muted small">{user.email}</span>
              </span>
            </Link>
            <Link className="nav-link" to={{ page: 'security' }} current={route.page === 'security'} onNavigate={close}>
              <Icon name="lock" />
              Security
            </Link>
            <button type="button" className="nav-link" onClick={() => void signOut.run(() => session.signOut())}>
              <Icon name="out" />
              Sign out
            </button>
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <div className="content">{children}</div>
      </main>
    </div>
  )
}
