//! Lines that only mark where a block begins or ends.

/// A fence of Markdown, Org, Jira or a forum, or the tags that hide a block in an issue.
pub fn is_fence(text: &str) -> bool {
    let text = text.trim();
    // Most lines begin with another character, so they need no copy.
    if !text.starts_with(['`', '~', '#', '{', '[', '<', ':']) {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let begins = ["```", "~~~", "#+begin_", "#+end_", "{code:", "[code="];
    let tags = [
        "<details>",
        "</details>",
        "<pre>",
        "</pre>",
        "<pre><code>",
        "</code></pre>",
        "<code>",
        "</code>",
        "<p>",
        "</p>",
        "{code}",
        "{noformat}",
        "[code]",
        "[/code]",
        "::",
    ];
    begins.iter().any(|begin| lower.starts_with(begin)) || tags.contains(&lower.as_str())
}
