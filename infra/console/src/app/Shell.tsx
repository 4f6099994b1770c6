import { type ReactNode, useState } from 'react'
import { maySee } from '../organizations/permissions.ts'
import { InvitationsNotice } from '../session/InvitationsNotice.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { useAction } from '../ui/useAction.ts'
import { Brand } from './Brand.tsx'
import { LanguageSelect } from './LanguageSelect.tsx'
import { Link } from './navigation.tsx'
import { type OrganizationPage, organizationPages, type Route } from './route.ts'
import { Shortcuts } from './Shortcuts.tsx'
import { useServices } from './services.ts'
import type { Organization, User } from './types.ts'

interface ShellProps {
  /** Left out until it is known. */
  readonly user?: User
  readonly route: Route
  /** Left out outside of organizations, and until it is known. */
  readonly organization?: Organization | undefined
  readonly children: ReactNode
}

/** The drawings of the pages' entries in the menu. */
const icons = {
  overview: 'home',
  products: 'box',
  cards: 'card',
  invoices: 'invoice',
  details: 'address',
  members: 'people',
  'sign-in-rules': 'lock',
  domains: 'globe',
  sso: 'bank',
  'api-clients': 'key',
  webhooks: 'send',
  activity: 'activity',
  settings: 'settings',
} as const satisfies Record<OrganizationPage, IconName>

/** The frame of every page: menu, organization, account. On a phone the menu opens with a button. */
export function Shell({ user, route, organization, children }: ShellProps) {
  const { session } = useServices()
  const { app } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const signOut = useAction()
  const close = () => setOpen(false)
  return (
    <div className="shell">
      <a className="skip" href={`${location.pathname}#content`}>
        {app.skip}
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
            aria-label={app.menu}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
          </button>
        </div>
        <div className={isOpen ? 'menu open' : 'menu'} id="menu">
          {'organizationId' in route && <OrganizationSwitch organization={organization} onNavigate={close} />}
          {'organizationId' in route && (
            <nav aria-label={app.navigation.organization}>
              {organizationPages
                .filter((page) => organization === undefined || maySee(organization.role, page))
                .map((page) => (
                  <Link
                    key={page}
                    className="nav-link"
                    to={{ page, organizationId: route.organizationId }}
                    current={route.page === page}
                    onNavigate={close}
                  >
                    <Icon name={icons[page]} />
                    {app.pages[page]}
                  </Link>
                ))}
            </nav>
          )}
          {!('organizationId' in route) && (
            <nav aria-label={app.navigation.organizations}>
              <Link
                className="nav-link"
                to={{ page: 'organizations' }}
                current={route.page === 'organizations'}
                onNavigate={close}
              >
                <Icon name="people" />
                {app.navigation.organizations}
              </Link>
            </nav>
          )}
          <nav className="account" aria-label={app.navigation.account}>
            <Link
              className="nav-link person"
              to={{ page: 'profile' }}
              current={route.page === 'profile'}
              onNavigate={close}
            >
              <Avatar name={user?.username ?? ''} />
              <span className="person-text">
                <span>{user?.username ?? app.navigation.account}</span>
                <span className="muted small">{user?.email ?? '…'}</span>
              </span>
            </Link>
            <Link className="nav-link" to={{ page: 'security' }} current={route.page === 'security'} onNavigate={close}>
              <Icon name="lock" />
              {app.security}
            </Link>
            <Link
              className="nav-link"
              to={{ page: 'account-activity' }}
              current={route.page === 'account-activity'}
              onNavigate={close}
            >
              <Icon name="activity" />
              {app.accountActivity}
            </Link>
            <button type="button" className="nav-link" onClick={() => void signOut.run(() => session.signOut())}>
              <Icon name="out" />
              {app.signOut}
            </button>
            <Shortcuts />
            <LanguageSelect />
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <div className="content">
          {route.page !== 'organizations' && <InvitationsNotice />}
          {children}
        </div>
      </main>
    </div>
  )
}

interface OrganizationSwitchProps {
  /** Left out until it is known. */
  readonly organization: Organization | undefined
  readonly onNavigate: () => void
}

/** The current organization, with a menu to switch to another. */
function OrganizationSwitch({ organization, onNavigate }: OrganizationSwitchProps) {
  const { app, organizations } = useTexts()
  return (
    <Link className="organization-switch" to={{ page: 'organizations' }} onNavigate={onNavigate}>
      <Avatar name={organization?.name ?? ''} />
      <span className="person-text">
        <span>{organization?.name ?? app.navigation.organization}</span>
        <span className="muted small">{organization ? wordIn(organizations.roles, organization.role) : '…'}</span>
      </span>
      <span className="visually-hidden">{organizations.switch}</span>
      <Icon name="switch" />
    </Link>
  )
}
