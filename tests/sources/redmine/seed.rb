# Fills an empty Redmine; prints what a test has to know of it, as JSON.
require 'stringio'

srand(1)
Redmine::DefaultData::Loader.load('en')
Setting.rest_api_enabled = '1'
Setting.default_language = 'en'
Mailer.deliveries if ActionMailer::Base.perform_deliveries

admin = User.find_by_login('admin')
admin.update_columns(must_change_passwd: false)
reader = User.new(firstname: 'Rin', lastname: 'Reader', mail: 'rin@example.com')
reader.login = 'reader'
reader.password = reader.password_confirmation = 'a-long-password-1'
reader.save!
# Sees private things too: leaving them out must not depend on the server.
role = Role.create!(
  name: 'Mirror', issues_visibility: 'all',
  permissions: %i[view_issues view_private_notes view_wiki_pages view_wiki_edits
                  view_files view_news view_changesets]
)
field = IssueCustomField.create!(
  name: 'Browser', field_format: 'string', is_for_all: true, trackers: Tracker.all
)
modules = %w[issue_tracking wiki news files documents]
shop = Project.create!(name: 'Web shop', identifier: 'shop', enabled_module_names: modules)
other = Project.create!(name: 'Other', identifier: 'other', enabled_module_names: modules)
child = Project.create!(name: 'Child', identifier: 'child', enabled_module_names: modules)
child.set_parent!(shop)
lab = Project.create!(name: 'Lab', identifier: 'lab', enabled_module_names: modules)
[shop, other, child, lab].each { |p| p.update!(trackers: Tracker.all) }
[shop, lab].each { |p| Member.create!(project: p, user: reader, roles: [role]) }
version = Version.create!(project: shop, name: '1.2', description: 'h2. Faster', due_date: '2026-05-01')

def attach(container, name, text)
  file = Attachment.create!(
    container: container, file: StringIO.new(text), filename: name,
    author: User.find_by_login('admin'), content_type: 'text/plain'
  )
  file.id
end

def issue(project, subject, **fields)
  User.current = User.find_by_login('admin')
  Issue.create!(
    project: project, tracker: project.trackers.first, author: User.current,
    priority: IssuePriority.first, status: IssueStatus.first, subject: subject, **fields
  )
end

def note(issue, text, is_private: false)
  issue = Issue.find(issue.id)
  issue.init_journal(User.find_by_login('admin'), text)
  issue.private_notes = is_private
  issue.save!
end

rich = issue(
  shop, 'Card is charged twice 🚀', fixed_version: version,
  description: "h2. Steps\n\n# press *Pay*\n# wait\n\nsee [[Payment flow]] and attachment:log.txt"
)
rich.reload
rich.custom_field_values = { field.id.to_s => 'Firefox' }
rich.save!
note(rich, 'Seen in _production_')
note(rich, 'Salaries are public now', is_private: true)
log = attach(rich, 'log.txt', 'charged, charged')
secret = issue(shop, 'Salaries', is_private: true, description: 'Gold')
attach(secret, 'list.txt', 'gold')
plans = issue(lab, 'Plans', is_private: true)
hidden = issue(lab, 'Hidden note')
note(hidden, 'Of few', is_private: true)
closed = issue(shop, 'Done', status: IssueStatus.where(is_closed: true).first)
child_issue = issue(child, 'Of a subproject')
dup = issue(shop, 'Duplicate')
IssueRelation.create!(issue_from: dup, issue_to: rich, relation_type: 'duplicates')
plain = (1..5).map { |n| issue(shop, "Plain #{n}") }
plain.each { |each| note(each, "Note of #{each.subject}") }

wiki = shop.wiki || Wiki.create!(project: shop, start_page: 'Wiki')
def page(wiki, title, text, parent = nil)
  page = wiki.find_page(title) || WikiPage.new(wiki: wiki, title: title)
  page.parent = parent if parent
  content = page.content || WikiContent.new(page: page)
  content.text, content.author = text, User.find_by_login('admin')
  page.save_with_content(content) || raise(page.errors.full_messages.join)
  page
end
home = page(wiki, 'Wiki', "h1. Welcome\n\n[[Payment flow]]")
3.times { |n| page(wiki, 'Payment flow', "Version *#{n + 1}*", home) }
files = page(wiki, 'تقرير ✓', 'Right to left')
attach(files, 'page.txt', 'of a page')
attach(version, 'list.csv', 'a,b')
News.create!(project: shop, title: 'Open', description: 'Shop is *open*', author: admin)
Document.create!(project: shop, category: DocumentCategory.first, title: 'Manual', description: 'Only in the browser')

# Thousands at once, many of them within one second.
count = ENV.fetch('ISSUES').to_i
from = [shop.id, shop.trackers.first.id, IssueStatus.first.id, IssuePriority.first.id, admin.id]
columns = '(project_id, tracker_id, status_id, priority_id, author_id, subject, ' \
          'description, created_on, updated_on, lock_version, done_ratio, is_private)'
Issue.connection.execute(<<~SQL)
  INSERT INTO issues #{columns}
  SELECT #{from.join(', ')}, 'Imported ' || n, 'About *part* ' || n,
    timestamp '2026-01-01', timestamp '2026-01-01' + (n / 250) * interval '1 second'
      + (n % 250) * interval '1 millisecond', 0, 0, false
  FROM generate_series(1, #{count}) n
SQL
Issue.connection.execute('UPDATE issues SET root_id = id, lft = 1, rgt = 2 WHERE root_id IS NULL')
Issue.connection.execute(<<~SQL)
  INSERT INTO journals (journalized_id, journalized_type, user_id, notes, created_on, private_notes)
  SELECT id, 'Issue', #{admin.id}, 'Note of ' || subject, created_on, false
  FROM issues WHERE subject LIKE 'Imported %' AND id % 10 = 0
SQL

include ActionView::Helpers::TextHelper
texts = JSON.parse(File.read(ENV.fetch('TEXTS')))
html = texts.map { |text| Redmine::WikiFormatting.to_html('textile', text) }
known = {
  version: Redmine::VERSION.to_s, key: reader.api_key, admin_key: admin.api_key,
  rich: rich.id, secret: secret.id, plans: plans.id, hidden: hidden.id, closed: closed.id, child: child_issue.id, log: log,
  duplicate: dup.id, plain: plain.map(&:id), other: other.id, html: html
}
puts "KNOWN #{known.to_json}"
