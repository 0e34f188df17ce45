/** A template for the operator to review. It must match what this product stores and for how long. */
import { Link } from 'react-router';
import type { LegalSection } from './legal-section.ts';
import { Contact, Placeholder } from './placeholder.tsx';

export const PRIVACY: readonly LegalSection[] = [
  {
    id: 'privacy-who',
    title: 'Who is responsible',
    body: (operator) => (
      <p>
        {operator.name}, <Placeholder>postal address, and representative or data protection officer if any</Placeholder>
        . Write to <Contact operator={operator} />.
      </p>
    ),
  },
  {
    id: 'privacy-short',
    title: 'In short',
    body: () => (
      <ul>
        <li>No tracking cookies, no advertising, no no third-party analytics, no sale of data.</li>
        <li>
          Pages load everything from this site. No picture, font or script comes from elsewhere, so no third party
          learns that you were here. If the operator embeds a video from another site, it loads only after you choose to
          load it. If the operator embeds a research document from another site, the page names its address. A real
          payment provider uses its own pages and script at checkout.
        </li>
        <li>You can read public pages without an account.</li>
      </ul>
    ),
  },
  {
    id: 'privacy-stored',
    title: 'What is stored, why and for how long',
    body: () => (
      <dl>
        <dt>Account</dt>
        <dd>
          Your email address, a hash of your password (never the password itself), the sign-in providers you linked, and
          the dates of confirmation and last sign-in. If you add them: second factors with hashes of their recovery
          codes, and wallet addresses. We use this to let you in and keep others out, and store it until the account is
          deleted.
        </dd>
        <dt>Sessions</dt>
        <dd>
          The time, network address and browser name of each sign-in. We use them to keep you signed in and to notice
          stolen sessions. We remove a session that has not been refreshed for 90 days, and store used refresh tokens
          for 30 days.
        </dd>
        <dt>Profile</dt>
        <dd>
          What you enter: name, picture, phone, bio, website, location, time zone, email choices. All of it is optional,
          and you can change or clear it on the <Link to="/account">profile page</Link>. We store it until then, or
          until the account is deleted. We remove the details that cameras add from a profile picture.
        </dd>
        <dt>Predictions</dt>
        <dd>
          Each saved prediction with its model, symbol, time and candles, and how much of your quota you have used. We
          use this to show your predictions again and to apply your plan’s limits, and store it until you ask us to
          remove it or the account is deleted.
        </dd>
        <dt>Votes</dt>
        <dd>
          If you vote on sentiment or like a post: your choice and its time. We use them to count each account once.
          Others see only totals.
        </dd>
        <dt>Payments</dt>
        <dd>
          Your plan, its status and period, a reference to you at the payment provider, and the brand and last digits of
          your card. Full card data never reaches this site. We store this as long as the account exists and as
          bookkeeping law requires.
        </dd>
        <dt>Activity</dt>
        <dd>
          When and how the account was created, which we store until the account is deleted. Your sign-ins and sign-outs
          with browser and network address, security and plan changes, and the files you export, which we store for 90
          days. You see all of it on the <Link to="/account/activity">activity page</Link>.
        </dd>
        <dt>Emails we send</dt>
        <dd>
          The address, kind and status of each email. We erase its text once it is sent, and the rest after seven days.
        </dd>
        <dt>Errors</dt>
        <dd>
          A page that fails reports the error message, the place in the code and the page’s path, with your account if
          you are signed in. Addresses, passwords and tokens are removed first. We use these reports to fix errors, and
          delete them after ninety days.
        </dd>
        <dt>Server logs</dt>
        <dd>
          One line per request: method, path, status and duration, without query, address or name.{' '}
          <Placeholder>How long the operator, or the proxy in front, keeps logs</Placeholder>. To apply rate limits, we
          hold network addresses in memory for a short while.
        </dd>
      </dl>
    ),
  },
  {
    id: 'privacy-browser',
    title: 'What is stored in your browser',
    body: () => (
      <>
        <p>Only what the site needs to work. None of it is sent anywhere but this site:</p>
        <ul>
          <li>
            <code>sb-…-auth-token</code> in local storage: your session, until you sign out;
          </li>
          <li>
            <code>darkMode</code>, <code>colourBlind</code>, <code>ghostBaseline</code>: your display settings;
          </li>
          <li>
            <code>kat-payment-customer</code>: the sign-in for which your payment account was last set up, so that it
            happens once;
          </li>
          <li>
            <code>popout:…</code>: the chart of a pop-out window, for up to 24 hours;
          </li>
          <li>
            <code>kat-choice</code>: the symbol, the model and the timeframe that you chose last;
          </li>
          <li>
            <code>kat-watchlist</code>, <code>kat-side</code>, <code>kat-markets</code>: your watchlist until you sign
            in, what is open beside the chart, and markets that you opened;
          </li>
          <li>
            <code>kat-today</code>: whether sessions and holidays are open below the chart;
          </li>
          <li>
            <code>kat-paper-trades</code>: your paper trades until you sign in, and those that your account doesn’t have
            yet;
          </li>
          <li>
            <code>kat-is-free</code>: that you had no plan on your last visit, so that the page can reserve room;
          </li>
          <li>
            <code>kat-forecast</code> in session storage: a forecast in progress, until you close the tab;
          </li>
          <li>
            one cookie, <code>kat-sign-in-…</code>, for at most 15 minutes while you sign in through another provider,
            so that no one else can finish that sign-in in your browser.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'privacy-basis',
    title: 'Legal basis',
    body: () => (
      <p>
        Account, predictions and payments: to perform our contract with you. Sessions, limits, logs and errors: our
        legitimate interest in a safe, working service. News by email and anything else you switch on: your consent,
        which you may withdraw at any time. Bookkeeping: a legal obligation.
      </p>
    ),
  },
  {
    id: 'privacy-processors',
    title: 'Who processes data for us',
    body: () => (
      <>
        <ul>
          <li>
            Hosting and database: <Placeholder>name, country</Placeholder>
          </li>
          <li>
            Email: <Placeholder>name, country</Placeholder>
          </li>
          <li>
            Payments: <Placeholder>name, country</Placeholder>, which is also a controller under its own privacy notice
          </li>
          <li>
            Sign-in, only if you choose it: Google or GitHub, which learn that you signed in here and send us your email
            address, name and picture
          </li>
          <li>
            Captcha, if switched on: <Placeholder>name, country</Placeholder>
          </li>
        </ul>
        <p>
          Our server, never your browser, contacts exchanges, news publishers and data services. They learn nothing
          about you. Transfers to other countries: <Placeholder>safeguards</Placeholder>. We give data to authorities
          only where the law requires it.
        </p>
      </>
    ),
  },
  {
    id: 'privacy-rights',
    title: 'Your rights',
    body: (operator) => (
      <>
        <p>You may:</p>
        <ul>
          <li>ask what we store about you and get a copy, which you can download on the security page;</li>
          <li>have it corrected; you can change most of it yourself on the profile page;</li>
          <li>have it deleted, unless the law requires us to keep it;</li>
          <li>receive it in a machine-readable format;</li>
          <li>object to its use, or have it restricted;</li>
          <li>withdraw consent, which does not affect earlier processing;</li>
          <li>
            complain to a supervisory authority: <Placeholder>name of the responsible authority</Placeholder>.
          </li>
        </ul>
        <p>
          You can delete your account on its security page, unless that page leaves it to us. We also delete an account,
          or single predictions, on request within <Placeholder>30 days</Placeholder>. Write to{' '}
          <Contact operator={operator} /> from the account’s email address. Deleting an account also deletes its
          profile, sessions, predictions, pictures and the error reports that name it, and removes your name from votes
          and posts. We make no decision with legal effect about you by automated means alone.
        </p>
      </>
    ),
  },
  {
    id: 'privacy-children',
    title: 'Children',
    body: () => (
      <p>
        The service is not meant for anyone under 18, and we do not knowingly store children’s data. If you know of any,
        tell us and we will delete it.
      </p>
    ),
  },
  {
    id: 'privacy-changes',
    title: 'Security and changes',
    body: () => (
      <p>
        Connections are encrypted when the site is served over https, passwords are hashed, and the database itself
        enforces who can read each row. No system is completely secure; we will tell you if a breach puts you at risk.
        Changes to this notice appear here with their date.
      </p>
    ),
  },
];
