/** The sign-in and the user's own account. */
export const session = {
  welcome: {
    page: 'Sign in',
    title: 'Everything your devices need, in one place',
    lead: 'Choose the products that your team uses, and manage what you pay for.',
    button: 'Sign in',
    hint: 'New here? You can create an account on the next page.',
  },
  signingIn: 'Signing you in',
  notices: {
    expired: 'The sign-in has expired. Please sign in again.',
    refused: 'You did not sign in.',
    signed_out: 'You are signed out.',
    signed_out_elsewhere: 'You signed out in another tab.',
    signed_out_everywhere: 'You are signed out everywhere.',
    account_deleted: (day: string) => `Your account will be deleted on ${day}. The link in our email takes that back.`,
  },
  handedOver: {
    page: 'Another user',
    title: (name: string | undefined) => `You signed in as ${name ?? 'someone else'} in another tab`,
    text: 'This tab showed your other account. Reload it: until then it changes nothing in either account.',
    button: 'Reload',
  },
  notSignedInAgain: 'You did not sign in again, so nothing was changed',
  profile: {
    title: 'Your profile',
    lead: 'How you appear to the members of your organizations.',
    username: 'Username',
    email: 'Email address',
    verified: 'Verified',
    notVerified: 'Not verified',
    memberSince: 'Member since',
    save: 'Save',
    saved: 'Your profile is saved',
    security: 'Security',
    securityText:
      'Passkeys, an authenticator app and recovery codes protect your account when your password becomes known.',
    securityLink: 'Sign-in and security',
  },
  data: {
    title: 'Your data',
    text: 'Your profile, your organizations and roles, and what you did there, as a JSON file.',
    button: 'Download your data',
    file: 'account.json',
  },
  deletion: {
    title: 'Delete your account',
    text: 'You are signed out right away, and everything personal is erased 30 days later. Until then the link in our email takes it back.',
    button: 'Delete account',
    question: 'Delete your account?',
    effects:
      'Organizations that you alone are a member of are deleted with it. Of organizations with other owners you become a billing admin.',
  },
  security: {
    title: 'Security',
    lead: 'Where you are signed in, and which applications may act for you.',
    everywhere: 'Sign out everywhere',
    everywhereQuestion: 'Sign out everywhere?',
    everywhereText:
      'This ends every session and signs you out here too. Links in mails that you have not opened stop working.',
    stay: 'Stay signed in',
  },
  sessions: {
    title: 'Sessions',
    hint: 'Do you not know one of them? End it, and change your password.',
    unknownBrowser: 'Unknown browser',
    /** @param name as the API has it: `Firefox on Linux` */
    browser: (name: string) => name,
    current: 'This session',
    since: (client: string, day: string) => `${client} · Since ${day}`,
    lastUsed: (time: string) => `Last used ${time}`,
    end: 'End',
    endNamed: (client: string, browser: string) => `End the session of ${client} in ${browser}`,
    ended: (browser: string) => `The session in ${browser} has ended`,
  },
  consents: {
    title: 'Applications with access',
    none: 'No application has access',
    noneText: 'An application that you give access to at sign-in appears here.',
    since: (day: string) => `Since ${day}`,
    removeNamed: (name: string) => `Remove the access of ${name}`,
    question: (name: string) => `Remove the access of ${name}?`,
    confirm: 'Remove access',
    effects: (name: string) =>
      `${name} is signed out of your account right away. It asks you again when you next use it.`,
    removed: (name: string) => `${name} has no access any more`,
  },
}
