# SPDX-License-Identifier: BSD-2-Clause
# For Doxygen, which does not know the anchors that web pages make of headings: links within a page become
# their text, links to a heading of another page lead to that page.
s/\[([^]]*)\]\(#[^)]*\)/\1/g
s/(\]\([^)#]*\.md)#[^)]*\)/\1)/g
