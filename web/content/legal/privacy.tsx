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
        <li>No tracking cookies, no advertising, no analytics by others, no sale of data.</li>
        <li>
          Pages load everything from this site: no picture, font or script comes from elsewhere, so no third party
          learns that you were here. Where the operator embeds a video or a research document of another site, the video
          loads only after you choose to load it, and the page names the document’s address. With a real payment
          provider its own pages and script are used at checkout.
        </li>
        <li>Public pages can be read without an account.</li>
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
          Email address, a hash of the password (never the password), and sign-in providers that you linked. Second
          factors with hashes of their recovery codes and wallet addresses if you add them, dates of confirmation and
          last sign-in. To let you in and keep others out. Until the account is deleted.
        </dd>
        <dt>Sessions</dt>
        <dd>
          For each sign-in its time, network address and browser name. To keep you signed in and to notice stolen
          sessions. A session that was not refreshed for 90 days is removed; used refresh tokens are stored for 30 days.
        </dd>
        <dt>Profile</dt>
        <dd>
          What you enter: name, picture, phone, bio, website, location, time zone, email choices. Optional, yours to
          change or empty on the <Link to="/account">profile page</Link>. Until then, or until the account is deleted. A
          profile picture is stored without the details that cameras add.
        </dd>
        <dt>Predictions</dt>
        <dd>
          Each saved prediction with its model, symbol, time and candles, and the count of your quota. To show them
          again and to keep the plan’s limits. Until you ask us to remove them, or the account is deleted.
        </dd>
        <dt>Votes</dt>
        <dd>
          Where a sentiment vote or a vote on a post is offered and you take part: your choice and its time. To count
          each account once. Others see sums alone.
        </dd>
        <dt>Payments</dt>
        <dd>
          Plan, status, period and a reference to you at the payment provider, and of a card its brand and last digits.
          Full card data never reach this site. As long as the account exists and bookkeeping law requires.
        </dd>
        <dt>Activity</dt>
        <dd>
          That the account was opened and by which way. The <Link to="/account/activity">activity page</Link> does not
          show it yet; it is in the download of the <Link to="/account/security">security page</Link>. Until the account
          is deleted.
        </dd>
        <dt>Emails we send</dt>
        <dd>
          Address, kind and state of each email; its text is emptied once sent, the rest is removed after seven days.
        </dd>
        <dt>Errors</dt>
        <dd>
          When a page fails it reports the message, the place in the code and the page’s path, with your account if you
          are signed in. Addresses, passwords and tokens are removed from it first. To mend faults. Removed after ninety
          days.
        </dd>
        <dt>Server logs</dt>
        <dd>
          One line a request: method, path, status and duration, without query, address or name.{' '}
          <Placeholder>How long the operator, or the proxy in front, keeps logs</Placeholder>. To count attempts and
          requests against limits, network addresses are held in memory for a short while.
        </dd>
      </dl>
    ),
  },
  {
    id: 'privacy-browser',
    title: 'What is stored in your browser',
    body: () => (
      <>
        <p>Only what your use of the page needs; none of it is sent to anyone but this site:</p>
        <ul>
          <li>
            <code>sb-…-auth-token</code> in local storage: your session, until you sign out;
          </li>
          <li>
            <code>darkMode</code>, <code>colourBlind</code>, <code>ghostBaseline</code>: how you want things to look;
          </li>
          <li>
            <code>kat-payment-customer</code>: for which sign-in your payment account was last prepared, so that it is
            done once;
          </li>
          <li>
            <code>popout:…</code>: the chart of a pop-out window, for up to 24 hours;
          </li>
          <li>
            <code>kat-symbol</code> and <code>kat-forecast</code> in session storage: the symbol looked at and a
            forecast under way, until the tab is closed;
          </li>
          <li>
            one cookie, <code>kat-sign-in-…</code>, for 15 minutes at most and only while you sign in through another
            provider, so that no one else can finish that sign-in in your browser.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'privacy-basis',
    title: 'On what basis',
    body: () => (
      <p>
        Account, predictions and payments: to perform the contract with you. Sessions, limits, logs and errors: our
        legitimate interest in a safe service that works. News by email and other things you switch on: your consent,
        which you may withdraw at any time. Bookkeeping: legal duty.
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
            Mail: <Placeholder>name, country</Placeholder>
          </li>
          <li>
            Payments: <Placeholder>name, country</Placeholder>, which is also responsible by its own notice
          </li>
          <li>
            Sign-in, only if you choose it: Google or GitHub, which learn that you signed in here and tell us your
            address, name and picture
          </li>
          <li>
            Captcha, where switched on: <Placeholder>name, country</Placeholder>
          </li>
        </ul>
        <p>
          Our server, never your browser, contacts exchanges, news publishers and data services. They learn nothing
          about you. Transfers to other countries: <Placeholder>safeguards</Placeholder>. Authorities get data only
          where the law obliges us.
        </p>
      </>
    ),
  },
  {
    id: 'privacy-rights',
    title: 'Your rights',
    body: (operator) => (
      <>
        <p>You may</p>
        <ul>
          <li>ask what is stored about you, and get a copy: the security page lets you download it;</li>
          <li>have it corrected, most of it by yourself on the profile page;</li>
          <li>have it deleted, where no law requires us to keep it;</li>
          <li>take it with you in a form that machines can read;</li>
          <li>object, or have its use restricted;</li>
          <li>withdraw a consent, without harm to what was done before;</li>
          <li>
            complain to a supervisory authority: <Placeholder>name of the one in charge</Placeholder>.
          </li>
        </ul>
        <p>
          Deleting an account, or single predictions, is done by us on request, within{' '}
          <Placeholder>30 days</Placeholder>: write to <Contact operator={operator} /> from the address of the account.
          With it go profile, sessions, predictions, votes and pictures; error rows lose your name. No decision with
          legal effect is made about you by machine alone.
        </p>
      </>
    ),
  },
  {
    id: 'privacy-children',
    title: 'Children',
    body: () => (
      <p>
        The service is not meant for anyone under 18, and we do not knowingly store children’s data. Tell us if you know
        otherwise, and we delete it.
      </p>
    ),
  },
  {
    id: 'privacy-changes',
    title: 'Safety and changes',
    body: () => (
      <p>
        Connections are encrypted where the site is served by https, passwords are hashed, and each person’s rows are
        guarded in the database itself. No system is wholly safe; we tell you where a breach puts you at risk. Changes
        of this notice are shown here with their date.
      </p>
    ),
  },
];
