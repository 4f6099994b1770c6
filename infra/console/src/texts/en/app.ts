import type { OrganizationPage } from '../../app/route.ts'

/** The frame of the pages, and the texts that are shown before any page. */
export const app = {
  title: (page: string) => `${page} · Console`,
  loading: 'Loading',
  failed: { title: 'The console could not be loaded', text: 'Check your internet connection, then try again.' },
  offline: 'You are offline. What you see may be out of date.',
  skip: 'Skip to the content',
  menu: 'Menu',
  language: 'Language',
  navigation: { organization: 'Organization', organizations: 'Organizations', account: 'Account' },
  pages: {
    overview: 'Overview',
    products: 'Products',
    cards: 'Cards',
    invoices: 'Invoices',
    details: 'Billing details',
    members: 'Members',
    'sign-in-rules': 'Sign-in rules',
    domains: 'Domains',
    sso: 'Single sign-on',
    'api-clients': 'API clients',
    webhooks: 'Webhooks',
    activity: 'Activity',
    settings: 'Settings',
  } satisfies Record<OrganizationPage, string>,
  security: 'Security',
  accountActivity: 'Your activity',
  keys: 'Keyboard',
  signOut: 'Sign out',
  unknown: {
    title: 'There is no such page',
    lead: 'The address may be misspelled, or the page has moved.',
    link: 'Go to your organizations',
  },
  /** Of a member whose sign-in breaks a rule of the organization. */
  refused: {
    signInAgain: {
      title: 'Sign in again',
      lead: 'This organization requires a newer sign-in, or a sign-in with your second factor.',
      button: 'Sign in again',
    },
    signOn: {
      title: 'Sign in with your company',
      lead: 'This organization asks its members to sign in with its own provider.',
      button: 'Continue',
    },
    addFactor: {
      title: 'Second factor required',
      lead: 'The owners of this organization require a second factor. Add a passkey or an authenticator app to your account, then come back.',
      link: 'Go to Security',
      button: 'I have added one',
    },
  },
  notForYou: {
    title: 'Not for your role',
    lead: 'Ask an owner of the organization if you need this page.',
    link: 'Go to the overview',
  },
}
